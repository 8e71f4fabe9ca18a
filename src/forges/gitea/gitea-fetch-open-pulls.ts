import { z } from "zod";
import { type Caller, callPages } from "#forges/gitea/gitea-call.ts";
import { fetchStatuses } from "#forges/gitea/gitea-checks.ts";
import { fetchGiteaReactions } from "#forges/gitea/gitea-fetch-pull.ts";
import { giteaLimits } from "#forges/gitea/gitea-limits.ts";
import { repositoryPath } from "#forges/gitea/gitea-paths.ts";
import type { FetchServer } from "#forges/gitea/gitea-probe.ts";
import { GiteaPull } from "#forges/gitea/gitea-schema.ts";
import { mapConcurrently } from "#forges/map-concurrently.ts";
import { ForgeError, type PullDigest } from "#ports/forge.ts";
import type { RepositoryRef } from "#ports/pull-ref.ts";

export type FetchOpenPulls = (repository: RepositoryRef) => Promise<readonly PullDigest[]>;

/** What the list does not tell, as last asked for. */
interface Extra {
  readonly words: string;
  readonly turn: number;
}

/** The list lacks reactions and statuses, so they are asked for by pull; of many pulls the longest unasked go first. */
export function createFetchOpenPulls(caller: Caller, fetchServer: FetchServer): FetchOpenPulls {
  const remembered = new Map<string, ReadonlyMap<number, Extra>>();
  let turn = 0;
  return async (repository) => {
    const pulls = await fetchList(caller, repository);
    const known = remembered.get(repository.id) ?? new Map<number, Extra>();
    turn += 1;
    const extras = new Map<number, Extra>();
    for (const pull of pulls) {
      const extra = known.get(pull.number);
      if (extra !== undefined) extras.set(pull.number, extra);
    }
    const { pageSize } = await fetchServer({ manner: "read" });
    await mapConcurrently(nextTurn(pulls, known), giteaLimits.requestsAtOnceMax, async (pull) => {
      extras.set(pull.number, { words: await fetchExtra(caller, { repository, pull, pageSize }), turn });
    });
    if (remembered.size >= giteaLimits.repositoriesRememberedMax) remembered.clear();
    remembered.set(repository.id, extras);
    return pulls.map((pull) => ({
      pull: { repository, number: pull.number },
      digest: `${factsOf(pull)} ${extras.get(pull.number)?.words ?? ""}`,
    }));
  };
}

/** An unreadable pull is left out: the others must not depend on it. */
async function fetchList(caller: Caller, repository: RepositoryRef): Promise<readonly GiteaPull[]> {
  const { items } = await callPages(caller, {
    where: repository.name,
    name: "fetch open pulls",
    manner: "read",
    method: "GET",
    path: `${repositoryPath(repository)}/pulls`,
    query: { state: "open", sort: "oldest" },
    shape: z.union([GiteaPull, z.unknown().transform(() => null)]),
    itemsMax: giteaLimits.openPullsMax,
  });
  const found = new Map<number, GiteaPull>();
  for (const pull of items) if (pull !== null) found.set(pull.number, pull);
  const pulls = [...found.values()];
  if (pulls.every(({ base }) => String(base.repo_id) === repository.id)) return pulls;
  const message = `gitea ${repository.name}: it is another repository by now`;
  throw new ForgeError("not_found", message, { isApplied: "no" });
}

function nextTurn(pulls: readonly GiteaPull[], known: ReadonlyMap<number, Extra>): readonly GiteaPull[] {
  const lastTurn = ({ number }: GiteaPull): number => known.get(number)?.turn ?? 0;
  return pulls.toSorted((left, right) => lastTurn(left) - lastTurn(right)).slice(0, giteaLimits.openPullsAskedMax);
}

async function fetchExtra(
  caller: Caller,
  {
    repository,
    pull,
    pageSize,
  }: { readonly repository: RepositoryRef; readonly pull: GiteaPull; readonly pageSize: number | null },
): Promise<string> {
  const ref = { repository, number: pull.number };
  const reactions = await fetchGiteaReactions(caller, ref);
  const statuses = await fetchStatuses(caller, { pull: ref, head: pull.head.sha, pageSize });
  return [
    ...reactions.items.map(({ user, content }) => `${user.id}:${content}`).sort(),
    ...statuses.items.map(({ creator, context, status }) => `${creator?.id ?? ""}:${context}:${status}`).sort(),
  ].join(" ");
}

/** Times are whole seconds: what is said in the second of the last change shows in the counts alone. */
function factsOf(pull: GiteaPull): string {
  const { head, base, updated_at, mergeable, comments, review_comments, title, draft } = pull;
  const facts = [head.sha, base.ref, updated_at, mergeable, comments, review_comments, draft, title];
  return JSON.stringify([...facts, pull.labels]);
}
