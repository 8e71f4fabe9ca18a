import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Report } from "#core/report/report.ts";
import { textReport } from "#core/report/text-report.ts";
import { addedFiles, aReport, aReportFinding, aRolePassOutcome } from "#testing/report-makers.ts";

const page = { columns: 80, hasColours: false };

describe("the text of a report", () => {
  it("shows findings by file with their code and what to write instead", () => {
    const report = aReport(
      [
        aReportFinding({ suggestion: "" }),
        aReportFinding({
          rule: "loud-name",
          role: "style",
          score: 5,
          lines: { first: 1, last: 1 },
          snippet: "export function shout() {",
          suggestion: "export function say() {",
          message: "This name is louder than what the function does, which is a pity since names are what people read.",
          assessment: "Certain.",
        }),
        aReportFinding({
          rule: "huge-addition",
          path: "data.csv",
          snippet: "",
          lines: { first: 1, last: 1 },
          score: 6,
        }),
      ],
      { leftOut: [{ path: "logo.png", why: "binary" }] },
    );
    expect(textReport(report, page)).toMatchInlineSnapshot(`
      "data.csv
        problem huge-addition (file, score 6)
          A \`debugger\` was left in.

      src/loud.ts
        problem loud-name (line 1, score 5, role style)
          This name is louder than what the function does, which is a pity since names
          are what people read.
          Certain.
          > 1 │ export function shout() {
            2 │   debugger;
            3 │ }
          suggestion:
          - export function shout() {
          + export function say() {

        blocking debugger-statement (line 2, score 7)
          A \`debugger\` was left in.
            1 │ export function shout() {
          > 2 │   debugger;
            3 │ }
          suggestion: take it out
          -   debugger;

      general: Read.
      Not read, binary: logo.png.
      This review is partial: not everything was looked at.
      3 findings in 2 files (1 blocking, 2 problems), 1 file read: the working tree against HEAD (1111111111). 340 ms
      "
    `);
  });

  it("says in one line that nothing was found", () => {
    expect(textReport(aReport([]), page)).toMatchInlineSnapshot(`
      "No findings in 1 file read: the working tree against HEAD (1111111111). 340 ms
      "
    `);
  });

  it("says in one line that there was nothing to look at", () => {
    const report = aReport([], {
      diff: addedFiles({}),
      looks: [
        {
          role: "general",
          reviewer: "rules",
          outcome: { ...aRolePassOutcome([]), coverage: { filesRead: 0, unread: [] } },
        },
      ],
    });
    expect(textReport(report, page)).toMatchInlineSnapshot(`
      "Nothing to review: the working tree against HEAD (1111111111). 340 ms
      "
    `);
  });

  it("says which role could not look, and that the review is partial", () => {
    const report = aReport([], {
      looks: [
        { role: "general", reviewer: "rules", outcome: aRolePassOutcome([]) },
        { role: "deep", reviewer: "model", outcome: { kind: "not_run", why: "no model is configured." } },
        {
          role: "security",
          reviewer: "model",
          outcome: { kind: "failed", why: "The model did not answer.", costMicroUsd: 0 },
        },
      ],
    });
    expect(textReport(report, page)).toMatchInlineSnapshot(`
      "general: Read.
      The role deep was not run: no model is configured.
      The role security failed: The model did not answer.
      This review is partial: not everything was looked at.
      No findings in 1 file read: the working tree against HEAD (1111111111). 340 ms
      "
    `);
  });

  it("has colours only where they are wanted", () => {
    expect(textReport(aReport(), page)).not.toContain("\u001b");
    expect(textReport(aReport(), { ...page, hasColours: true })).toContain("\u001b[1;31mblocking\u001b[0m");
  });

  it("keeps a line of a megabyte short", () => {
    const long = "x".repeat(1_000_000);
    const report = aReport([aReportFinding({ lines: { first: 1, last: 1 }, snippet: "xxx" })], {
      diff: addedFiles({ "src/loud.ts": [long] }),
    });
    const shown = textReport(report, page)
      .split("\n")
      .filter((line) => line.includes("│"));
    expect(shown.map((line) => [line.length, line.at(-1)])).toEqual([[80, "…"]]);
  });
});

const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      "\u001b[31m",
      "\u001b]0;x\u0007",
      "\u009b2J",
      "\r",
      "\n",
      "\t",
      "\u202e",
      "\u200b",
      "\u2029",
      "\u{e0041}",
    ),
    fc.string({ unit: "binary", minLength: 1, maxLength: 3 }),
  ),
  minLength: 1,
});

/** Every text in it comes from somebody else. */
const hostileReport: fc.Arbitrary<Report> = fc
  .record({ words: hostile, path: hostile, text: hostile, other: hostile, line: fc.nat({ max: 5 }) })
  .map(({ words, path, text, other, line }) => {
    const finding = aReportFinding({
      path,
      rule: other,
      message: text,
      assessment: other,
      suggestion: text,
      role: text,
    });
    const report = aReport([finding], { leftOut: [{ path: other, why: "size" }] });
    const frame = [text, other].map((code, index) => ({ number: line + index, text: code, isMarked: index === 0 }));
    return {
      ...report,
      change: { ...report.change, words },
      roles: [...report.roles, { role: other, reviewer: text, state: { kind: "failed", why: text } }],
      findings: report.findings.map((each) => ({ ...each, frame })),
    };
  });

describe("hostile content", () => {
  it("never reaches the terminal as anything but visible characters, newlines and our own colours", () => {
    // oxlint-disable-next-line no-control-regex -- exactly our own colours.
    const ours = /\u001b\[(?:0|1|2|31|32|33|1;31)m/g;
    fc.assert(
      fc.property(hostileReport, fc.boolean(), (report, hasColours) => {
        const text = textReport(report, { columns: 80, hasColours });
        const rest = hasColours ? text.replaceAll(ours, "") : text;
        expect(rest.replaceAll("\n", "")).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
      }),
    );
  });
});
