import type { Action } from "#core/decision/action.ts";
import type { Situation } from "#core/decision/situation.ts";
import { derive } from "#core/derive/derive.ts";
import { plan } from "#core/plan/plan.ts";
import { applyAction } from "#testing/fake-pull/apply-action.ts";
import type { FakePull } from "#testing/fake-pull/fake-pull.ts";

export interface Settled {
  readonly pull: FakePull;
  readonly situation: Situation;
  readonly done: readonly Action[];
}

/** A plan that does not come to rest is a bug in the core, not a long story. */
const ticksMax = 10;

/** Look, decide, act, look again: until there is nothing left to do. */
export function settleFakePull(start: FakePull): Settled {
  const done: Action[] = [];
  let pull = start;
  for (let tick = 0; tick < ticksMax; tick++) {
    const situation = derive(pull);
    const actions = plan(pull, situation).filter(
      (action) => action.kind !== "look_again" && action.kind !== "classify",
    );
    if (actions.length === 0) return { pull, situation, done };
    pull = actions.reduce(applyAction, pull);
    done.push(...actions);
  }
  throw new Error(
    `the plan did not come to rest: ${done
      .slice(-5)
      .map(({ key }) => key)
      .join(", ")}`,
  );
}
