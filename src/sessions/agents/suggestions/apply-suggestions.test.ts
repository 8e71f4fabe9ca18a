import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  applySuggestions as apply,
  type Edit,
  type EditedText,
} from "#sessions/agents/suggestions/apply-suggestions.ts";

/** Null: made on the lines as they are. */
type DrawnEdit = Omit<Edit, "before"> & { readonly before: readonly string[] | null };

function applySuggestions(text: string, edits: readonly DrawnEdit[]): EditedText {
  const lines = text.split("\n").map((line) => line.replace(/\r$/, ""));
  return apply(
    text,
    edits.map((one) => ({ ...one, before: one.before ?? lines.slice(one.first - 1, one.last) })),
  );
}

function edit(
  id: string,
  first: number,
  last: number,
  after: readonly string[],
  before: readonly string[] | null = null,
): DrawnEdit {
  return { id, first, last, before, after };
}

describe("suggestions", () => {
  const text = "one\ntwo\nthree\nfour\n";

  it("replace their whole range, without moving one another", () => {
    const edits = [edit("a", 1, 1, ["1", "1b"]), edit("b", 3, 4, ["3"])];
    expect(applySuggestions(text, edits)).toEqual({ text: "1\n1b\ntwo\n3\n", applied: ["a", "b"], refused: [] });
  });

  it("may delete", () => {
    expect(applySuggestions(text, [edit("a", 2, 3, [])]).text).toBe("one\nfour\n");
    expect(applySuggestions("one\n", [edit("a", 1, 1, [])]).text).toBe("");
  });

  it("that delete the end in two pieces leave no newline where there was none", () => {
    const edits = [edit("a", 3, 3, []), edit("b", 2, 2, [])];
    expect(applySuggestions("one\n\nthree", edits).text).toBe("one");
  });

  it("that meet: the first one wins, and the same one twice is one", () => {
    const edits = [edit("a", 2, 3, ["x"]), edit("b", 3, 4, ["y"]), edit("c", 2, 3, ["x"]), edit("d", 4, 4, ["z"])];
    expect(applySuggestions(text, edits)).toEqual({
      text: "one\nx\nz\n",
      applied: ["a", "c", "d"],
      refused: [{ id: "b", why: "overlap" }],
    });
  });

  it.each([
    ["stale", edit("a", 2, 2, ["2"], ["zwei"])],
    ["stale", edit("a", 2, 2, ["2"], ["two", "three"])],
    ["out_of_range", edit("a", 4, 5, ["2"])],
    ["out_of_range", edit("a", 0, 1, ["2"])],
    ["out_of_range", edit("a", 3, 2, ["2"])],
    ["out_of_range", edit("a", Number.NaN, 2, ["2"])],
    ["unchanged", edit("a", 2, 2, ["two"])],
    ["unchanged", edit("a", 2, 2, ["two", "three"])],
    ["unchanged", edit("a", 3, 3, ["one", "two", "three", "four"])],
  ])("are refused as %s", (why, refused) => {
    expect(applySuggestions(text, [refused])).toEqual({ text, applied: [], refused: [{ id: "a", why }] });
  });

  it("are applied where the lines still read as they did", () => {
    expect(applySuggestions("a\r\nb\r\n", [edit("a", 1, 2, ["c"], ["a", "b"])]).text).toBe("c\r\n");
  });

  it.each([
    ["a\r\nb\r\n", edit("a", 1, 1, ["x", "y"]), "x\r\ny\r\nb\r\n"],
    ["a\nb", edit("a", 2, 2, ["x", "y"]), "a\nx\ny"],
    ["a\nb", edit("a", 2, 2, []), "a"],
    ["a\nb", edit("a", 2, 2, ["x", ""]), "a\nx\n\n"],
    ["a\n\nb", edit("a", 3, 3, []), "a\n\n"],
    ["a\r\nb", edit("a", 2, 2, ["x", "y"]), "a\r\nx\r\ny"],
    ["a", edit("a", 1, 1, ["x", "y"]), "x\ny"],
    ["a\nb\r\nc\n", edit("a", 2, 2, ["x", "y"]), "a\nx\r\ny\r\nc\n"],
    ["a\rb\nc\n", edit("a", 1, 1, ["x"]), "x\nc\n"],
    ["\uFEFFa\nb\n", edit("a", 2, 2, ["x"]), "\uFEFFa\nx\n"],
  ])("leave the ends of the lines of %j as they are", (before, one, after) => {
    expect(applySuggestions(before, [one]).text).toBe(after);
  });

  it("keep a missing newline missing, though the last lines go and others change", () => {
    expect(applySuggestions("a\nb", [edit("a", 2, 2, []), edit("b", 1, 1, ["x", "y"])]).text).toBe("x\ny");
  });
});

const someLines = fc.array(fc.constantFrom("a", "b", "", "  c", "d\te"), { maxLength: 12 });
const someEdits = fc.array(
  fc.record({
    first: fc.integer({ min: 0, max: 13 }),
    length: fc.integer({ min: 1, max: 4 }),
    after: fc.array(fc.constantFrom("x", "y", "", "a"), { maxLength: 3 }),
  }),
  { maxLength: 8 },
);

describe("suggestions, compared with what anybody would do by hand", () => {
  it("give the same text, on any lines", () => {
    fc.assert(
      fc.property(someLines, someEdits, fc.boolean(), (lines, drawn, hasNewline) => {
        const edits = drawn.map(({ first, length, after }, index) =>
          edit(`${index}`, first, first + length - 1, after),
        );
        const text = write(lines, hasNewline);
        const shown = text === "" ? [] : text.replace(/\n$/, "").split("\n");
        const result = applySuggestions(text, edits);
        expect(result.text).toBe(write(byHand(shown, edits, result.applied), text === "" || text.endsWith("\n")));
        expect([...result.applied, ...result.refused.map(({ id }) => id)].toSorted()).toEqual(
          edits.map(({ id }) => id).toSorted(),
        );
      }),
    );
  });

  it("give the same text with carriage returns", () => {
    fc.assert(
      fc.property(someLines, someEdits, (lines, drawn) => {
        const edits = drawn.map(({ first, length, after }, index) =>
          edit(`${index}`, first, first + length - 1, after),
        );
        const text = write(lines, true);
        const plain = applySuggestions(text, edits);
        const returned = applySuggestions(text.replaceAll("\n", "\r\n"), edits);
        expect(returned).toEqual({ ...plain, text: plain.text.replaceAll("\n", "\r\n") });
      }),
    );
  });

  it("never apply two that meet, unless they are the same", () => {
    fc.assert(
      fc.property(someLines, someEdits, (lines, drawn) => {
        const edits = drawn.map(({ first, length, after }, index) =>
          edit(`${index}`, first, first + length - 1, after),
        );
        const { applied } = applySuggestions(write(lines, true), edits);
        const taken = edits.filter(({ id }) => applied.includes(id));
        for (const one of taken) {
          for (const other of taken.filter(({ first, last }) => first <= one.last && one.first <= last)) {
            expect({ ...other, id: "" }).toEqual({ ...one, id: "" });
          }
        }
      }),
    );
  });
});

/** Goes down the lines once; where a suggestion begins, what it says stands instead of its lines. */
function byHand(lines: readonly string[], edits: readonly DrawnEdit[], applied: readonly string[]): readonly string[] {
  return lines.flatMap((line, index) => {
    const inside = edits.find(({ id, first, last }) => applied.includes(id) && first <= index + 1 && index + 1 <= last);
    if (inside === undefined) return [line];
    return inside.first === index + 1 ? inside.after : [];
  });
}

function write(lines: readonly string[], hasNewline: boolean): string {
  const text = lines.join("\n");
  return lines.length > 0 && (hasNewline || lines.at(-1) === "") ? `${text}\n` : text;
}
