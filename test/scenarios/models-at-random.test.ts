import * as fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import { manners } from "#harness/harness.ts";
import { anyRounds, live } from "./fickle-life.ts";

/** On a database each takes seconds, and no model knows of it. */
const lives = inject("harnessEngine") === "memory" ? 4 : 1;

describe.each(manners)("any model, however fickle, over any pushes on a %s", (manner) => {
  it.each([1, 2])("says each thing once and comes to rest, with %i roles", async (roleCount) => {
    await fc.assert(
      fc.asyncProperty(anyRounds, async (rounds) => {
        expect(await live({ manner, roleCount, rounds })).toEqual([]);
      }),
      // A life takes a second, and making it smaller takes hundreds: the seed is enough to live it again.
      { numRuns: lives, endOnFailure: true },
    );
  });
});
