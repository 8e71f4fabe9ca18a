import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { CaseFile } from "#core/eval/case-file.ts";

const finding = { path: "src/a.ts", what: "It is wrong." };

function problemsOf(value: unknown): readonly string[] {
  const read = CaseFile.safeParse(value);
  return read.success ? [] : read.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
}

describe("a case file", () => {
  it("takes a line, a range, a quote or nothing as the place", () => {
    const places = [{ lines: 12 }, { lines: "12-14" }, { code: "run();" }, {}];
    const read = CaseFile.parse({ title: "T", findings: places.map((place) => ({ ...finding, ...place })) });
    expect(read.findings.map(({ lines }) => lines)).toEqual([
      { first: 12, last: 12 },
      { first: 12, last: 14 },
      undefined,
      undefined,
    ]);
  });

  it.each([
    [{ lines: "14-12" }, "expected the first line before the last"],
    [{ lines: "twelve" }, 'expected a line such as 12, or a range such as "12-14"'],
    [{ lines: 0 }, 'expected a line such as 12, or a range such as "12-14"'],
    [{ lines: 1, code: "run();" }, "expected either `lines` or `code`, not both"],
    [{ score: 11 }, "Too big"],
    [{ tags: ["Off By One"] }, "expected a lower-case word such as off-by-one"],
  ])("says what is wrong with a finding (case %#)", (part, words) => {
    const [problem = "", ...more] = problemsOf({ title: "T", findings: [{ ...finding, ...part }] });
    expect(more).toEqual([]);
    expect(problem).toContain("findings.0");
    expect(problem).toContain(words);
  });

  it("is either clean or has findings, and says so", () => {
    expect(problemsOf({ title: "T" })).toEqual([expect.stringContaining("either findings or `clean: true`")]);
    expect(problemsOf({ title: "T", clean: true, findings: [finding] })).toHaveLength(1);
    expect(problemsOf({ title: "T", clean: true })).toEqual([]);
    expect(problemsOf({ title: "T", clean: true, mayAlsoFind: [{ path: "src/a.ts" }] })).toEqual([]);
  });
});

const schemaPath = join(import.meta.dirname, "../../../docs/operating/eval-case.schema.json");

describe("the schema for editors", () => {
  it("is that of the program; UPDATE_PAGES=1 npx vitest run src/core/eval/case-file.test.ts brings it up to date", () => {
    const schema = z.toJSONSchema(CaseFile, { io: "input" });
    if (process.env["UPDATE_PAGES"] === "1") writeFileSync(schemaPath, `${JSON.stringify(schema, null, 2)}\n`);
    expect(JSON.parse(readFileSync(schemaPath, "utf8"))).toEqual(JSON.parse(JSON.stringify(schema)));
  });
});
