import { describe, expect, it } from "vitest";
import type { DemoEvent } from "#app/demo/demo-event.ts";
import { demoLines, pageOf } from "#cli/demo-lines.ts";

const looked: DemoEvent = {
  kind: "looked",
  at: "2026-01-05T09:00:00Z",
  saw: ['rita said "this sentence is so long that it has to go on in a second line, or a third"'],
  decided: [{ about: "note", words: "the approval of rita does not count: it was given for an earlier head" }],
  did: [],
};

describe("what is told", () => {
  it("is laid out for a narrow terminal", () => {
    expect(demoLines(looked, { columns: 60, hasColours: false })).toMatchInlineSnapshot(`
      [
        "saw       rita said "this sentence is so long that it has to",
        "            go on in a second line, or a third"",
        "decided   note      the approval of rita does not count: it",
        "                    was given for an earlier head",
        "did       nothing",
      ]
    `);
  });

  it("has a heading as wide as the page, with the time of day", () => {
    const scene: DemoEvent = {
      kind: "scene",
      number: 3,
      at: "2026-01-05T09:04:36Z",
      title: "ada pushes",
      watch: "Watch it.",
    };
    const [heading, watch] = demoLines(scene, { columns: 60, hasColours: false });
    expect(heading).toMatch(/^3\. ada pushes ─+ 09:04:36$/);
    expect(heading).toHaveLength(60);
    expect(watch).toBe("Watch it.");
  });

  it("quotes what was changed and written, with colours where the terminal has them", () => {
    const pushed: DemoEvent = { kind: "happened", at: "", by: "ada", what: "pushed", lines: ["x.py:", "+ a", "- b"] };
    expect(demoLines(pushed, { columns: 60, hasColours: false })).toEqual([
      "ada       pushed",
      "          │ x.py:",
      "          │ + a",
      "          │ - b",
    ]);
    const escape = "\u001b";
    expect(demoLines(pushed, { columns: 60, hasColours: true })).toContain(
      `          ${escape}[2m│ ${escape}[0m${escape}[32m+ a${escape}[0m`,
    );
  });
});

describe("the page", () => {
  it.each([
    [undefined, 100],
    [80, 80],
    [20, 60],
    [300, 100],
  ])("has, in a terminal of %s columns, %i", (columns, expected) => {
    expect(pageOf({ columns, hasColours: false }).columns).toBe(expected);
  });
});
