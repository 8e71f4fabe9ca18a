import { expect, it } from "vitest";
import { wrapLine } from "#core/terminal/wrap-line.ts";

it.each([
  ["short", ["short"]],
  ["one two three", ["one two", "three"]],
  ["漢字 漢字 漢字", ["漢字", "漢字", "漢字"]],
  ["averylongwordindeed x", ["averylo…", "x"]],
  ["", [""]],
])("the line %j is wrapped to eight columns", (text, lines) => {
  expect(wrapLine(text, 8)).toEqual(lines);
});
