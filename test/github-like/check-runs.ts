import type { StatusState } from "#forges/sandbox/pull-state.ts";
import type { Repository } from "#forges/sandbox/world.ts";
import type { CheckRunExtra } from "#github-like/extras.ts";
import type { Sight } from "#github-like/sight.ts";

export interface KnownRun {
  readonly id: number;
  readonly extra: CheckRunExtra;
}

/** The number of a check run, and what its reporter said beyond what the sandbox keeps. */
export function checkRunOf({ extras }: Pick<Sight, "extras">, { ref }: Repository, status: StatusState): KnownRun {
  const { runs } = extras;
  const key = runKey(ref.id, status);
  const id = runs.numbers.get(key) ?? giveRunNumber(runs, { key, status, repository: ref.id });
  return { id, extra: runs.said.get(status) ?? { ...silent, title: status.words } };
}

const silent: CheckRunExtra = { annotations: 0, title: "", text: null, detailsUrl: null, externalId: "" };

/** On one commit a later run of the same App under the same name takes the place of the earlier. */
export function runKey(repository: string, { commit, by, name }: Pick<StatusState, "commit" | "by" | "name">): string {
  return `${repository} ${commit} ${by.id} ${name}`;
}

export interface Runs {
  readonly numbers: Map<string, number>;
  readonly byNumber: Map<number, RunPlace>;
  readonly said: WeakMap<StatusState, CheckRunExtra>;
}

export interface RunPlace {
  readonly repository: string;
  readonly status: Pick<StatusState, "commit" | "by" | "name">;
}

export function createRuns(): Runs {
  return { numbers: new Map(), byNumber: new Map(), said: new WeakMap() };
}

const firstRun = 40_001;

export function giveRunNumber(
  { numbers, byNumber }: Runs,
  { key, status, repository }: RunPlace & { readonly key: string },
): number {
  const id = firstRun + byNumber.size;
  numbers.set(key, id);
  byNumber.set(id, { repository, status });
  return id;
}
