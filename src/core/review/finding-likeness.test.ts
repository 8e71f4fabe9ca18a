import { describe, expect, it } from "vitest";
import type { RawFinding } from "#core/model/finding.ts";
import { normaliseSnippet } from "#core/review/finding-code.ts";
import { likeness, likenessCharactersMax, type Traits, traitsOf } from "#core/review/finding-likeness.ts";
import { aFinding } from "#testing/makers.ts";

const query = {
  rule: "injection",
  snippet: "db.query(`select ${id}`);",
  message: "The id goes into the query unescaped.",
};

function compare(over: Partial<RawFinding>, from: Partial<RawFinding> = query): number {
  return likeness(traits(from), traits({ ...from, ...over }));
}

function traits(over: Partial<RawFinding>): Traits {
  const finding = aFinding("-", over);
  return traitsOf(finding, { text: normaliseSnippet(finding.snippet) });
}

describe("two findings are alike", () => {
  it("when a reviewer quotes a line more or less", () => {
    const longer = `async function load(id: string) {\n  ${query.snippet}\n  return rows.map(toUser);\n}`;
    expect(compare({ snippet: longer })).toBeGreaterThan(1);
    expect(compare(query, { ...query, snippet: longer })).toBeGreaterThan(1);
  });

  it("when most words of the code stayed", () => {
    expect(compare({ snippet: "await db.query(`select ${id}`);" })).toBeGreaterThan(1);
  });

  it("when the rule has another name but the message says the same", () => {
    expect(compare({ rule: "sql-injection", message: "The id goes unescaped into the query!" })).toBeGreaterThan(0);
  });

  it("the more, the more they share", () => {
    expect(compare({})).toBe(2);
    expect(compare({ rule: "sql-injection" })).toBe(1);
    expect(compare({ snippet: "await db.query(`select ${id}`);" })).toBeLessThan(2);
  });
});

describe("two findings are not alike", () => {
  it.each<[string, Partial<RawFinding>]>([
    ["the code has little in common", { snippet: "db.query(other)" }],
    ["another rule says something else", { rule: "naming", message: "Name this after what it returns." }],
    ["one is about the file as a whole", { snippet: "" }],
    ["all they share is a bracket", { snippet: "`" }],
  ])("when %s", (_case, over) => expect(compare(over)).toBe(0));

  it("when both are about the whole file, but not about the same thing", () => {
    const whole = { ...query, snippet: "" };
    expect(compare({ rule: "size", message: "Too long to read." }, whole)).toBe(0);
    expect(compare({ rule: "sql-injection" }, whole)).toBeGreaterThan(0);
  });
});

describe("however long code and message are", () => {
  const words = Array.from({ length: 50_000 }, (_, index) => `w${index}`).join(" ");
  const long = { ...query, snippet: words, message: words };

  it("no more than their start is compared", () => {
    const { code, codeWords, messageWords } = traits(long);
    expect(code).toBe(words.slice(0, likenessCharactersMax));
    const sizes = [codeWords, messageWords].map((set) => [...set].join("").length);
    expect(sizes.every((size) => size > 0 && size <= likenessCharactersMax)).toBe(true);
  });

  it("an edit does not make another finding of them", () => {
    expect(compare({ snippet: `await ${words}` }, long)).toBeGreaterThan(1);
    expect(compare({ snippet: `${words} edited` }, long)).toBeGreaterThan(1);
    expect(compare({ snippet: words.replaceAll("w", "v") }, long)).toBe(0);
  });
});
