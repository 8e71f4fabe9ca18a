import type { Instant } from "#core/model/instant.ts";
import type { ServedView } from "#forges/sandbox/call-endpoint.ts";
import { detectPushes } from "#forges/sandbox/detect-pushes.ts";
import type { PullState } from "#forges/sandbox/pull-state.ts";
import { notFound } from "#forges/sandbox/refusal.ts";
import { type PullEntry, permissionIn, type Repository, stateAt } from "#forges/sandbox/world.ts";
import type { Allowances } from "#github-like/allowance.ts";
import type { AppState } from "#github-like/app-state.ts";
import type { Extras } from "#github-like/extras.ts";
import type { Numbers } from "#github-like/numbers.ts";
import { type Rights, reachesRepository } from "#github-like/rights.ts";

/** One request being served: the forge as this call gets to see it, and who asks with which rights. */
export interface Sight extends ServedView {
  readonly rights: Rights;
  readonly url: string;
  readonly numbers: Numbers;
  readonly extras: Extras;
  readonly apps: AppState;
  readonly allowances: Allowances;
  /** The forge's time, however far back the call gets to see. */
  readonly date: Instant;
  /** By the clock that judges tokens. */
  readonly tokenDate: Instant;
  /** The repositories whose pushes this call takes in, each once: a query names one of them a hundred times. */
  readonly takenIn: Map<Repository, Promise<void>>;
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
export async function findRepository(sight: Sight, name: string): Promise<Repository | undefined> {
  const wanted = name.toLowerCase();
  const found = [...sight.world.repositories.values()].find(({ ref }) => ref.name.toLowerCase() === wanted);
  if (found === undefined || !isVisible(sight, found)) return undefined;
  const taking = sight.takenIn.get(found) ?? detectPushes(sight.world, found);
  sight.takenIn.set(found, taking);
  await taking;
  return found;
}

export function isVisible({ rights, asker }: Sight, repository: Repository): boolean {
  if (rights.kind === "app") return false;
  if (permissionIn(repository, asker) === "none" || !reachesRepository(rights, repository.ref.id)) return false;
  return rights.kind === "person" || isInstalledOn(repository, rights.account.id);
}

/** An App is installed where its bot was given a permission. */
export function isInstalledOn(repository: Repository, bot: string): boolean {
  return [...repository.permissions].some(([account, permission]) => account === bot && permission !== "none");
}

export async function mustFindRepository(sight: Sight, name: string): Promise<Repository> {
  const repository = await findRepository(sight, name);
  if (repository === undefined) throw notFound();
  return repository;
}

export function findPull(sight: Sight, repository: Repository, number: number): PullSight | undefined {
  const entry = repository.pulls.get(number);
  const state = entry === undefined ? undefined : stateAt(entry, sight.at);
  return entry === undefined || state === undefined ? undefined : { sight, entry, state };
}

/** For what changes a pull, which is never shown the past. */
export function entryOf(repository: Repository, number: number): PullEntry {
  const entry = repository.pulls.get(number);
  if (entry === undefined) throw notFound();
  return entry;
}
