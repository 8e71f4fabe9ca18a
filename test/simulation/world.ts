import type { PaperPull } from "#app/demo/paper-pull.ts";
import type { Action } from "#core/model/action.ts";
import { type HeadSha, PatchId } from "#core/model/ids.ts";
import { formatInstant } from "#core/model/instant.ts";
import { anObservation, aPull, at, sha, someRecords, someRules } from "#testing/makers.ts";
import type { Chance } from "./chance.ts";
import { emptyTruth, type Truth } from "./truth.ts";

/** One pull, what really happened on it, and the worker that looks after it. */
export interface World {
  pull: PaperPull;
  readonly truth: Truth;
  readonly chance: Chance;
  readonly isCalm: boolean;
  /** What the worker still has to do of the plan that it made at `lookedAt`. */
  worker: { readonly lookedAt: PaperPull; readonly todo: readonly Action[] } | null;
  /** What a worse Drover would do instead: the oracle must notice. */
  readonly sabotage: Sabotage;
  nextSha: number;
  readonly trace: string[];
}

export type Sabotage = (lookedAt: PaperPull, actions: readonly Action[]) => readonly Action[];

export const honest: Sabotage = (_, actions) => actions;

export function newWorld(chance: Chance, sabotage: Sabotage): World {
  const rules = someRules({
    reviews: {
      automatic: chance.isTrue(0.15) ? "disabled" : "enabled",
      roles: chance.isTrue(0.4)
        ? [
            { name: "general", reviewer: "rules" },
            { name: "security", reviewer: "rules" },
          ]
        : [{ name: "general", reviewer: "rules" }],
    },
    approval: { protocols: chance.pick(["emoji", "reviews", "both"]) },
    merge: {
      when: chance.pick(["when_approved", "when_approved", "on_command", "never"]),
      how: chance.isTrue(0.3) ? "queue" : "direct",
    },
    fix: { onFeedback: chance.isTrue(0.3) },
  });
  const pull = anObservation({ observedAt: at(0), rules, pull: aPull(), records: someRecords() });
  const world: World = {
    pull,
    truth: emptyTruth(),
    chance,
    isCalm: chance.isTrue(0.4),
    worker: null,
    sabotage,
    nextSha: 2,
    trace: [],
  };
  addHead(world, sha(1));
  return world;
}

/** A new commit has some defects, or none. */
export function addHead(world: World, head: HeadSha): void {
  const { chance, truth } = world;
  const count = chance.isTrue(0.5) ? 0 : 1 + chance.below(3);
  const defects = Array.from({ length: count }, () => {
    const number = chance.below(6);
    return { name: `defect-${number}`, score: 4 + number };
  });
  truth.patches.set(head, PatchId.parse(`patch of ${head}`));
  truth.defects.set(head, [...new Map(defects.map((defect) => [defect.name, defect])).values()]);
}

export function note(world: World, words: string): void {
  world.trace.push(`${formatInstant(world.pull.observedAt)} ${words}`);
}

export function sight(world: World, name: string): void {
  world.truth.sightings.add(name);
}
