import { describe, expect, it } from "vitest";
import { inertSpans } from "#core/commands/live-text.ts";

function inert(body: string): readonly string[] {
  return inertSpans(body).map((span) => body.slice(span.start, span.end));
}

describe("indented code", () => {
  it.each([
    ["at the start", "    a\nb", ["a"]],
    ["behind a blank line", "a\n\n    b\n\tc\nd", ["b", "c"]],
    ["over blank lines", "    a\n\n    b", ["a", "b"]],
    ["in an item", "- a\n\n      b\nc", ["b"]],
    ["behind a heading", "# a\n    b", ["b"]],
    ["with a mark that closes nothing", "    `a\nb`", ["`a"]],
  ])("is inert: %s", (_name, body, expected) => expect(inert(body)).toEqual(expected));

  it.each(["a\n    b", "- a\n      b", "- a\n\n  b", "   a"])("is none in %j", (body) => {
    expect(inert(body)).toEqual([]);
  });
});
