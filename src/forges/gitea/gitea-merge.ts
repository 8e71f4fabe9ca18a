import type { HeadSha } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import { isSuccess } from "#forges/forge-response.ts";
import { type Caller, call, callRaw, errorOf } from "#forges/gitea/gitea-call.ts";
import { isStatus, messageOf } from "#forges/gitea/gitea-error.ts";
import { pullPath, whereOf } from "#forges/gitea/gitea-paths.ts";
import { fetchGiteaRepository } from "#forges/gitea/gitea-repository.ts";
import { GiteaPull, type GiteaRepository } from "#forges/gitea/gitea-schema.ts";
import { type Forge, ForgeError, type MergeOutcome } from "#ports/forge.ts";
import type { PullRef } from "#ports/pull-ref.ts";

/** Fields have exactly these capitals; others would be ignored. */
export async function mergePull(caller: Caller, { pull, head }: Parameters<Forge["merge"]>[0]): Promise<MergeOutcome> {
  const since = caller.clock.now();
  const { name, id } = pull.repository;
  const repository = await fetchGiteaRepository(caller, { name, id, manner: "look", since });
  const asked = {
    where: whereOf(pull),
    name: "merge",
    manner: "write",
    since,
    method: "POST",
    path: `${pullPath(pull)}/merge`,
    // Without words of ours Gitea writes its own, as the repository's template says.
    body: { Do: styleOf(repository), MergeTitleField: "", MergeMessageField: "", head_commit_id: head },
  } as const;
  const answer = await callRaw(caller, asked);
  const why = answer.kind === "answered" ? messageOf(answer.data) : "";
  if (isSuccess(answer)) return { kind: "merged", commit: await fetchMergeCommit(caller, pull, since) };
  if (isStatus(answer, 405) && refusedWords.test(why)) {
    throw new ForgeError("forbidden", errorOf(asked, answer).message, { isApplied: "no" });
  }
  if (isStatus(answer, 409) && headWords.test(why)) return { kind: "head_moved" };
  if (isStatus(answer, 405) || isStatus(answer, 409))
    return { kind: "not_now", why: why === "" ? "not mergeable" : why };
  throw errorOf(asked, answer);
}

/** 405 is "not you", "not yet", a conflict or a branch rule: only the words tell the first. */
const refusedWords = /not allowed to merge/i;

/** 409 is a moved head, and all that git refuses: a conflict, a moved base, a hook. */
const headWords = /^head out of date/i;

/** The repository's default where allowed; then what keeps best what was approved. */
function styleOf(repository: GiteaRepository): string {
  const allowed: readonly (readonly [string, boolean])[] = [
    ["merge", repository.allow_merge_commits],
    ["rebase-merge", repository.allow_rebase_explicit],
    ["fast-forward-only", repository.allow_fast_forward_only_merge],
    ["squash", repository.allow_squash_merge],
    ["rebase", repository.allow_rebase],
  ];
  const styles = allowed.filter(([, isAllowed]) => isAllowed).map(([style]) => style);
  return styles.find((style) => style === repository.default_merge_style) ?? styles[0] ?? "merge";
}

/** Success is an empty answer. A read that knows of no merge yet does not undo it. */
async function fetchMergeCommit(caller: Caller, pull: PullRef, since: Instant): Promise<HeadSha> {
  const look = {
    where: whereOf(pull),
    name: "look up merge",
    manner: "look",
    method: "GET",
    path: pullPath(pull),
  } as const;
  const seen = await call(caller, { ...look, since, shape: GiteaPull }).catch((error: unknown) => {
    if (!(error instanceof ForgeError)) throw error;
    throw new ForgeError(error.kind, error.message, { isApplied: "unknown", retryAt: error.retryAt, cause: error });
  });
  if (seen.merge_commit_sha !== null) return seen.merge_commit_sha;
  const message = `gitea ${whereOf(pull)}: merged, but not to be seen yet`;
  throw new ForgeError("unavailable", message, { isApplied: "unknown" });
}
