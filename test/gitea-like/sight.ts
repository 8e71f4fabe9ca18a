import type { Instant } from "#core/model/instant.ts";
import type { ServedView } from "#forges/sandbox/call-endpoint.ts";
import { detectPushes } from "#forges/sandbox/detect-pushes.ts";
import type { PullState } from "#forges/sandbox/pull-state.ts";
import { type PullEntry, permissionIn, type Repository, stateAt } from "#forges/sandbox/world.ts";
import type { Extras } from "#gitea-like/extras.ts";
import { NotFound } from "#gitea-like/refusals.ts";
import type { GiteaVersion } from "#gitea-like/version.ts";

/** One request being served: the forge as this call gets to see it, and who asks. */
export interface Sight extends ServedView {
  /** Root of the server. */
  readonly url: string;
  readonly version: GiteaVersion;
  readonly extras: Extras;
  /** The forge's time, however far back the call gets to see. */
  readonly date: Instant;
  /** Admins of the whole server see everything, also what others have not submitted yet. */
  readonly isSiteAdmin: boolean;
  /** Whether git is served here too; else it is reached as the sandbox's host says. */
  readonly hasGit: boolean;
}

/** A repository with one of its pulls, as this call gets to see it. */
export interface PullSight {
  readonly sight: Sight;
  readonly entry: PullEntry;
  readonly state: PullState;
}

/** What the asker may not see is not there. Case does not matter in names. */
export async function mustFindRepository(sight: Sight, name: string): Promise<Repository> {
  const wanted = name.toLowerCase();
  const found = [...sight.world.repositories.values()].find(({ ref }) => ref.name.toLowerCase() === wanted);
  return takenIn(sight, found);
}

export async function mustFindRepositoryById(sight: Sight, id: number): Promise<Repository> {
  return takenIn(
    sight,
    [...sight.world.repositories.values()].find(({ ref }) => ref.id === String(id)),
  );
}

async function takenIn(sight: Sight, found: Repository | undefined): Promise<Repository> {
  if (found === undefined || permissionIn(found, sight.asker) === "none") throw new NotFound();
  await detectPushes(sight.world, found);
  return found;
}

export function mustFindPull(sight: Sight, repository: Repository, number: number): PullSight {
  const entry = repository.pulls.get(number);
  const state = entry === undefined ? undefined : stateAt(entry, sight.at);
  if (entry === undefined || state === undefined) throw new NotFound();
  return { sight, entry, state };
}

/** All pulls of a repository, the oldest first. */
export function pullsOf(sight: Sight, repository: Repository): readonly PullSight[] {
  return [...repository.pulls.values()].flatMap((entry) => {
    const state = stateAt(entry, sight.at);
    return state === undefined ? [] : [{ sight, entry, state }];
  });
}
