import { encodeText } from "#core/diff/decode-text.ts";
import { type Diff, parseDiff } from "#core/diff/diff.ts";
import type { RawFinding } from "#core/model/finding.ts";
import { makeReport, type Reviewed, type RolePassOutcome } from "#core/report/make-report.ts";
import type { Report } from "#core/report/report.ts";

export function addedFiles(files: Readonly<Record<string, readonly string[]>>): Diff {
  const text = Object.entries(files).map(([path, lines]) =>
    [
      `diff --git a/${path} b/${path}`,
      "new file mode 100644",
      "--- /dev/null",
      `+++ b/${path}`,
      `@@ -0,0 +1,${lines.length} @@`,
      ...lines.map((line) => `+${line}`),
      "",
    ].join("\n"),
  );
  const parsed = parseDiff(encodeText(text.join("")));
  if (parsed.kind !== "diff") throw new Error(parsed.reason);
  return parsed.diff;
}

export function aReportFinding(parts: Partial<RawFinding> = {}): RawFinding {
  return {
    role: "general",
    rule: "debugger-statement",
    path: "src/loud.ts",
    side: "new",
    lines: { first: 2, last: 2 },
    snippet: "  debugger;",
    message: "A `debugger` was left in.",
    assessment: "",
    score: 7,
    suggestion: null,
    ...parts,
  };
}

export function aRolePassOutcome(
  findings: readonly RawFinding[],
): Extract<RolePassOutcome, { readonly kind: "completed" }> {
  return { kind: "completed", findings, coverage: { filesRead: 1, unread: [] }, summary: "Read.", costMicroUsd: 0 };
}

export function aReport(findings: readonly RawFinding[] = [aReportFinding()], parts: Partial<Reviewed> = {}): Report {
  return makeReport({
    change: { words: "the working tree against HEAD (1111111111)", base: "1".repeat(40), head: null },
    diff: addedFiles({ "src/loud.ts": ["export function shout() {", "  debugger;", "}"] }),
    looks: [{ role: "general", reviewer: "rules", outcome: aRolePassOutcome(findings) }],
    leftOut: [],
    thresholds: { problemScore: 5, blockingScore: 7 },
    secretRules: new Set(["leaked-secret"]),
    tookMs: 340,
    ...parts,
  });
}
