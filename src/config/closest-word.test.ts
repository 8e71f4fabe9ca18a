import { expect, it } from "vitest";
import { closestWord } from "#config/closest-word.ts";

const known = ["workers", "rules", "repositories", "url"];

it.each([
  ["worker", "workers"],
  ["Rules", "rules"],
  ["repositorys", "repositories"],
  ["uri", "url"],
  ["ruels", "rules"],
  ["sleru", undefined],
  ["", undefined],
  ["something", undefined],
])("for %j the closest word is %j", (word, expected) => {
  expect(closestWord(word, known)).toBe(expected);
});
