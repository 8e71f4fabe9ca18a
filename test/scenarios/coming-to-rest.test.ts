import * as fc from "fast-check";
import { expect, it } from "vitest";
import { derive } from "#core/derive/derive.ts";
import { plan } from "#core/plan/plan.ts";
import { anyObservation } from "#testing/any-observation.ts";
import { settleFakePull } from "#testing/fake-pull/settle-fake-pull.ts";

it("plans nothing new when what it planned was carried out and nothing else happened", () => {
  fc.assert(
    fc.property(anyObservation, (seen) => {
      const { pull } = settleFakePull(seen);
      const left = plan(pull, derive(pull)).filter(({ kind }) => kind !== "look_again" && kind !== "classify");
      expect(left).toEqual([]);
    }),
    { numRuns: 500 },
  );
});
