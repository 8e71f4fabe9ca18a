import type { Account } from "#core/model/account.ts";
import type { PullState } from "#forges/sandbox/pull-state.ts";
import type { SandboxChange } from "#forges/sandbox/sandbox.ts";
import { addVersion, newestOf, type PullEntry, type Repository, type World } from "#forges/sandbox/world.ts";

export interface PullChange {
  readonly by: Account;
  readonly what: SandboxChange["what"];
  readonly next: Partial<PullState>;
  readonly moves: "changedAt" | "nothing";
}

/** The one place where a pull changes: a new version, and a line in the history. */
export function recordPullChange(world: World, entry: PullEntry, { by, what, next, moves }: PullChange): PullState {
  const at = world.now();
  const before = newestOf(entry);
  const state = { ...before, ...next, changedAt: moves === "changedAt" ? at : before.changedAt };
  addVersion(entry, { at, state });
  world.history.push({ at, by, repository: entry.ref.repository, pull: entry.ref, what });
  return state;
}

export function recordInRepository(
  world: World,
  repository: Repository,
  { by, what }: { readonly by: Account; readonly what: SandboxChange["what"] },
): void {
  world.history.push({ at: world.now(), by, repository: repository.ref, pull: null, what });
}
