import type { HeadSha } from "#core/model/ids.ts";
import { isSuccess } from "#forges/forge-response.ts";
import { type Caller, callRaw, errorOf } from "#forges/gitea/gitea-call.ts";
import { giteaLimits } from "#forges/gitea/gitea-limits.ts";
import { repositoryPath, whereOf } from "#forges/gitea/gitea-paths.ts";
import { isKnownCommit } from "#forges/gitea/gitea-pending-review.ts";
import type { GiteaStatus } from "#forges/gitea/gitea-schema.ts";
import { type FetchedPull, type Forge, ForgeError } from "#ports/forge.ts";

type Gate = NonNullable<FetchedPull["gate"]>;
type GateRequest = Parameters<Forge["setGate"]>[0];

/** A status cannot say "neutral": it is a success whose words begin so. */
const neutralWords = "neutral: ";

/** Gitea shows the last status of a name. It answers 500 for a missing commit, so look whether it is there. */
export async function setGate(
  caller: Caller,
  gateName: string,
  { pull, head, state, words }: GateRequest,
): Promise<void> {
  const since = caller.clock.now();
  const asked = {
    where: whereOf(pull),
    name: "set gate",
    manner: "write",
    since,
    method: "POST",
    path: `${repositoryPath(pull.repository)}/statuses/${head}`,
    body: {
      context: gateName,
      state: state === "neutral" ? "success" : state,
      description: cutWords(state === "neutral" ? neutralWords + words : words),
    },
  } as const;
  const answer = await callRaw(caller, asked);
  const isBroken = answer.kind === "answered" && answer.status >= 500;
  if (isSuccess(answer)) return;
  if (!isBroken || (await isKnownCommit(caller, { pull, commit: head }, { manner: "look", since }))) {
    throw errorOf(asked, answer);
  }
  throw new ForgeError("not_found", `gitea ${whereOf(pull)}: set gate: there is no commit ${head}`, {
    isApplied: "no",
  });
}

export function readGate({ status, description }: GiteaStatus, head: HeadSha): Gate {
  const words = description ?? "";
  if (status !== "success") return { head, state: status === "pending" ? "pending" : "failure", words };
  if (!words.startsWith(neutralWords)) return { head, state: "success", words };
  return { head, state: "neutral", words: words.slice(neutralWords.length) };
}

function cutWords(words: string): string {
  if (words.length <= giteaLimits.statusCharactersMax) return words;
  const kept = words.slice(0, giteaLimits.statusCharactersMax - 1);
  return `${/[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept}…`;
}
