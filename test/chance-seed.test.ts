import * as fc from "fast-check";
import { expect, inject, it } from "vitest";
import { chanceSeed } from "./chance-seed.ts";

it("the chance of random tests is that of the commit, or the one that was asked for", () => {
  const commit = "00000ff0123456789";
  expect(chanceSeed({}, commit)).toBe(255);
  expect(chanceSeed({ DROVER_CHANCE: "" }, commit)).toBe(255);
  expect(chanceSeed({ DROVER_CHANCE: "7" }, commit)).toBe(7);
  for (const wrong of ["-1", "x", "1234567890"]) {
    expect(() => chanceSeed({ DROVER_CHANCE: wrong }, commit)).toThrow("expected a whole number");
  }
});

it("every random test begins there", () => {
  const seen: number[][] = [[], []];
  for (const values of seen) {
    fc.assert(
      fc.property(fc.integer(), (value) => {
        values.push(value);
      }),
    );
  }
  expect(seen[0]).toEqual(seen[1]);
  expect(fc.readConfigureGlobal().seed).toBe(inject("chanceSeed"));
});
