import { describe, expect, it } from "vitest";
import { inertSpans } from "#core/commands/live-text.ts";

function inert(body: string): readonly string[] {
  return inertSpans(body).map((span) => body.slice(span.start, span.end));
}

describe("what is struck out, and mathematics", () => {
  it.each([
    ["a part of a line", "a ~~b~~ c ~d~ e", ["~~b~~", "~d~"]],
    ["lines of a paragraph", "~~a\nb~~ c", ["~~a\nb~~"]],
    ["marks of equal length only", "~~a~ b~~ c", ["~~a~ b~~"]],
    ["no marks in code", "~~a `b~~` c~~", ["~~a `b~~` c~~"]],
    ["a display", "a\n\n$$\nb\n\nc\n$$\nd", ["$$\nb\n\nc\n$$"]],
    ["a formula", "a $b+c$ d", ["$b+c$"]],
    ["a formula in brackets", "a\n\\[\nb\n\\]\nc", ["\\[\nb\n\\]"]],
    ["an element", "<del>a\n\nb</del> c", ["<del>a\n\nb</del>"]],
    ["an element that never ends", "a <s>b\n\nc", ["<s>b\n\nc"]],
  ])("is inert: %s", (_name, body, expected) => expect(inert(body)).toEqual(expected));

  it.each([
    "~~a\n\nb~~",
    "~5 to ~6",
    "a ~ b ~ c",
    "\\~a~",
    "$5 or $6",
    "upto:$5 and 6$",
    "a $$b",
    "$$a\n\nb",
    "~~~a~~~ b",
  ])("is none in %j", (body) => expect(inert(`x ${body}`)).toEqual([]));
});
