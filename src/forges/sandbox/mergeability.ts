import type { HeadSha } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import type { Pull } from "#core/model/pull.ts";
import type { PullState } from "#forges/sandbox/pull-state.ts";
import type { PullEntry, Repository, World } from "#forges/sandbox/world.ts";

/** Nothing just after a push, and nothing for a pull that is not open. */
export async function mergeabilityOf(
  world: World,
  { repository }: PullEntry,
  { state, at }: { readonly state: PullState; readonly at: Instant },
): Promise<Pull["mergeability"]["kind"]> {
  if (state.state !== "open" || at < state.movedAt + world.quirks.mergeabilityDelayMs) return "unknown";
  return (await canMerge(world, repository, state)) ? "mergeable" : "conflicting";
}

export function findMergeability({ repository }: PullEntry, state: PullState): Pull["mergeability"] {
  const known = repository.mergeable.get(pairOf(state));
  if (known === undefined || state.state !== "open") return { kind: "unknown" };
  return { kind: known ? "mergeable" : "conflicting" };
}

/** Two commits merge or conflict for ever, so it is asked once. */
async function canMerge({ host, now }: World, repository: Repository, state: PullState): Promise<boolean> {
  const pair = pairOf(state);
  const known = repository.mergeable.get(pair);
  if (known !== undefined) return known;
  const { head, base } = state;
  const name = repository.ref.name;
  const isForward = await host.isAncestor({ repository: name, older: base.tip, newer: head.sha });
  const can =
    isForward ||
    (await host.mergeCommit({ ...trial, repository: name, base: base.tip, head: head.sha, at: now() })).kind ===
      "merged";
  repository.mergeable.set(pair, can);
  return can;
}

const trial = { message: "Try a merge", author: { name: "sandbox", email: "sandbox@localhost" } } as const;

function pairOf({
  base,
  head,
}: {
  readonly base: { readonly tip: HeadSha };
  readonly head: { readonly sha: HeadSha };
}) {
  return `${base.tip}:${head.sha}`;
}
