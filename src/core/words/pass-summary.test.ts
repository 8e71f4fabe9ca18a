import { expect, it } from "vitest";
import { lateWords } from "#core/words/pass-summary.ts";
import { aFinding } from "#testing/makers.ts";

it("what is noticed only now is listed worst first, in one line each, and the rest is counted", () => {
  const late = [5, 9, 6, 7, 8, 5].map((score) => aFinding("k", { score, message: `Bad\n\`code\` [here](x) ${score}` }));
  expect(lateWords(late).split("\n")).toEqual([
    "These remarks are about code that an earlier review covered. They do not block the merge:",
    "",
    ...[9, 8, 7, 6, 5].map((score) => `- \`src/parser.ts:3\` Bad 'code' (here)(x) ${score} (score ${score})`),
    "- and 1 more",
  ]);
  expect(lateWords([])).toBe("");
});
