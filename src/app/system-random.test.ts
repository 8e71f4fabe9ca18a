import { expect, it } from "vitest";
import { createSystemRandom } from "#app/system-random.ts";

it("system tokens are letters and digits, and no two are equal, not from two sources either", () => {
  const sources = [createSystemRandom(), createSystemRandom()];
  const tokens = sources.flatMap((random) => Array.from({ length: 500 }, () => random.token()));
  expect(new Set(tokens).size).toBe(1000);
  for (const token of tokens) expect(token).toMatch(/^[0-9a-z]{32}$/);
});
