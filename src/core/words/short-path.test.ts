import { expect, it } from "vitest";
import { shortPath } from "#core/words/short-path.ts";

it("a shortened path keeps its end, by whole characters", () => {
  expect(shortPath("src/a.ts")).toBe("src/a.ts");
  const long = shortPath(`${"deep/".repeat(1_000)}a.ts`);
  expect(long).toHaveLength(200);
  expect(long).toMatch(/^….*\/a\.ts$/);
  expect(shortPath(`${"x".repeat(50)}😀${"y".repeat(198)}`)).toBe(`…${"y".repeat(198)}`);
});
