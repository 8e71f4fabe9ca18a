import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { resolveAnchor } from "#core/diff/anchor.ts";
import { indexLines, lineMark } from "#core/diff/line-index.ts";
import { RawFinding } from "#core/model/finding.ts";
import { allRules } from "#reviewers/rules/all-rules.ts";
import { aJob, changedFile, type FileSketch, findingsOf, newFile, parsed } from "#testing/rules-makers.ts";

const token = ["glp", "at-", "kQ7vXz2RmB9tLw4HdYc6"].join("");
const only = [".on", "ly"].join("");

/** Lines on which some rule fires in some of the files, and lines around them on which none does. */
const suspects = [
  `const key = "${token}";`,
  `${"<".repeat(7)} HEAD`,
  `it${only}("adds", () => {`,
  `describe${only}("a", () => it${only}("b", f));`,
  "fit('adds', () => {});",
  "@pytest.mark.only",
  "debugger;",
  "console.log(user);",
  "breakpoint()",
  "isAdmin\u202E = true;",
  "is\u200BAdmin = true;",
  "isАdmin = true;",
  "  - uses: someone/deploy@main",
  '  - run: echo "${{ github.event.issue.title }}"',
  "permissions: write-all",
  "try { save(); } catch (error) {}",
  "fetch({ rejectUnauthorized: false });",
  "requests.get(url, verify=False)",
  "execSync(`git log ${ref}`);",
  "db.query(`SELECT * FROM users WHERE id = ${id}`);",
  "settings = yaml.load(stream)",
  "eval(expression)",
  "FROM node:latest",
  "curl https://example.org/x | sh",
  "SESSION_SECRET=q7Vtx2RmB9Lw4Hd",
  "run();",
  "",
  "}",
  "if (isReady) {",
  "    return 1",
] as const;

const paths = [
  "src/a.ts",
  "src/a.test.ts",
  "src/a.py",
  "test_a.py",
  ".github/workflows/a.yml",
  "Dockerfile",
  "x.sh",
  ".env",
  "a.md",
];

const someLine = fc
  .tuple(fc.constantFrom("+", "+", " ", "-"), fc.constantFrom(...suspects))
  .map(([mark, text]) => mark + text);

const someFile: fc.Arbitrary<FileSketch> = fc
  .tuple(fc.constantFrom(...paths), fc.array(someLine, { minLength: 1, maxLength: 25 }))
  .filter(([, lines]) => lines.some((line) => !line.startsWith(" ")) && lines.some((line) => !line.startsWith("-")))
  .map(([path, lines]) => changedFile(path, ...lines));

/** Where suggestions are likely: tests and plain code, with more of what can be fixed. */
const fixableFile: fc.Arbitrary<FileSketch> = fc
  .tuple(
    fc.constantFrom("src/a.ts", "src/a.test.ts", "src/a.py", "test_a.py"),
    fc.array(someLine, { minLength: 1, maxLength: 25 }),
    fc.constantFrom(...suspects.slice(2, 11), "settings = yaml.load(stream)"),
  )
  .map(([path, lines, suspect]) => changedFile(path, ...lines, `+${suspect}`));

describe("all rules", () => {
  it("have names of their own, a score that means something, and words for the page", () => {
    expect(new Set(allRules.map(({ name }) => name)).size).toBe(allRules.length);
    expect(allRules.length).toBeGreaterThanOrEqual(18);
    for (const rule of allRules) {
      expect(rule.name).toMatch(/^[a-z]+(?:-[a-z]+)*$/);
      expect(rule.score).toBeGreaterThanOrEqual(5);
      expect(rule.score).toBeLessThanOrEqual(10);
      expect(rule.catches).toMatch(/\.$/);
    }
  });

  it("judge added lines alone, and quote them so that they are found exactly there", async () => {
    await fc.assert(
      fc.asyncProperty(someFile, async (sketch) => {
        const [file] = parsed(aJob([sketch])).files;
        if (file === undefined) throw new Error("no file");
        const lines = indexLines(parsed(aJob([sketch])), file);
        const added = new Set(Array.from(lines.newNumbers).filter((_, index) => lines.marks[index] === lineMark.added));
        for (const finding of await findingsOf(undefined, [sketch])) {
          expect(RawFinding.safeParse(finding).success).toBe(true);
          if (finding.snippet === "") continue;
          const { first, last } = finding.lines;
          for (let line = first; line <= last; line += 1) expect(added.has(line)).toBe(true);
          const anchor = resolveAnchor(lines, { snippet: finding.snippet, claimedLine: first, side: "new" });
          expect(anchor).toMatchObject({ kind: "exact", range: { side: "new", startLine: first, endLine: last } });
        }
      }),
      { numRuns: 300 },
    );
  });

  it("say the same about the same change, whatever the order of its files", async () => {
    const files = paths.map((path) => newFile(path, ...suspects));
    const findings = await findingsOf(undefined, files);
    expect(await findingsOf(undefined, files.toReversed())).toEqual(findings);
    expect(findings.length).toBeGreaterThan(20);
  });

  it("are content once their suggestion is applied", async () => {
    let applied = 0;
    await fc.assert(
      fc.asyncProperty(fixableFile, async (sketch) => {
        for (const finding of await findingsOf(undefined, [sketch])) {
          if (finding.suggestion === null) continue;
          const after = await findingsOf(undefined, [withSuggestion(sketch, finding)]);
          expect(countOf(after, finding)).toBe(countOf(await findingsOf(undefined, [sketch]), finding) - 1);
          applied += 1;
        }
      }),
      { numRuns: 100 },
    );
    expect(applied).toBeGreaterThan(20);
  });

  it("never let a secret into a finding", async () => {
    await fc.assert(
      fc.asyncProperty(someFile, fc.integer({ min: 0, max: 25 }), async (sketch, at) => {
        const lines = sketch.lines.toSpliced(at, 0, `+console.log("${token}", user); debugger;`);
        const findings = await findingsOf(undefined, [{ ...sketch, lines }]);
        expect(findings.length).toBeGreaterThan(0);
        expect(JSON.stringify(findings)).not.toContain(token.slice(0, 12));
      }),
      { numRuns: 100 },
    );
  });
});

/** The same file with the lines of a finding replaced, by the simplest means. */
function withSuggestion(sketch: FileSketch, finding: RawFinding): FileSketch {
  const { suggestion, lines: range } = finding;
  const replacement = suggestion === null || suggestion === "" ? [] : suggestion.split("\n").map((line) => `+${line}`);
  let number = 0;
  const lines = sketch.lines.flatMap((line) => {
    if (!line.startsWith("-")) number += 1;
    const isInside = !line.startsWith("-") && number >= range.first && number <= range.last;
    if (!isInside) return [line];
    return number === range.first ? replacement : [];
  });
  return { ...sketch, lines: [...lines, "-something that was there before"] };
}

function countOf(findings: readonly RawFinding[], { rule }: RawFinding): number {
  return findings.filter((finding) => finding.rule === rule).length;
}
