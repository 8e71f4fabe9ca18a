import { describe, expect, it } from "vitest";
import type { LocalChange } from "#app/review/local-change.ts";
import { type Reviewers, type RunRolesOptions, runRoles } from "#app/review/run-roles.ts";
import { encodeText } from "#core/diff/byte-scan.ts";
import { parseDiff } from "#core/diff/diff.ts";
import type { RawFinding } from "#core/model/finding.ts";
import { HeadSha } from "#core/model/ids.ts";
import { Rules } from "#core/model/rules.ts";
import type { Reviewer, ReviewJob } from "#ports/reviewer.ts";
import { aCompletedReview, aRawFinding, aReviewer } from "#testing/review-makers.ts";

const text =
  "diff --git a/x.ts b/x.ts\nnew file mode 100644\n--- /dev/null\n+++ b/x.ts\n@@ -0,0 +1,2 @@\n+export const first = 1;\n+export const second = 2;\n";
const finding = aRawFinding({
  role: "somebody else",
  path: "x.ts",
  lines: { first: 70, last: 70 },
  snippet: "export const second = 2;",
});
const roles = [
  { name: "general", reviewer: "rules" },
  { name: "deep", reviewer: "model" },
] as const;

function answering(findings: readonly RawFinding[], asked: ReviewJob[] = []): Reviewer {
  return aReviewer((job) => {
    asked.push(job);
    return aCompletedReview({ findings, summary: "Done.", costMicroUsd: 7 });
  });
}

function lookWith(reviewers: Partial<Reviewers>) {
  const bytes = encodeText(text);
  const parsed = parseDiff(bytes);
  if (parsed.kind !== "diff") throw new Error(parsed.reason);
  const change: LocalChange = {
    words: "a change",
    head: HeadSha.parse("1".repeat(40)),
    baseBranch: "main",
    commits: { base: null, head: null },
    leftOut: [],
    diff: bytes,
    readFile: async () => null,
    readBaseFile: async () => null,
  };
  const options: RunRolesOptions = {
    reviewers: { rules: null, model: null, agent: null, ...reviewers },
    change,
    diff: parsed.diff,
    absent: {},
    reviews: Rules.parse({ reviews: { excludedPaths: ["dist/"], roles: [...roles] } }).reviews,
    signal: new AbortController().signal,
    tell: () => undefined,
  };
  return runRoles(roles, options);
}

describe("lookInRoles", () => {
  it("asks each role's own reviewer, with its name and the paths that nobody looks at", async () => {
    const [rules, model]: [ReviewJob[], ReviewJob[]] = [[], []];
    await lookWith({ rules: answering([], rules), model: answering([], model) });
    expect([rules, model].map((jobs) => jobs.map(({ role, excludedPaths }) => [role, excludedPaths]))).toEqual([
      [["general", ["dist/"]]],
      [["deep", ["dist/"]]],
    ]);
  });

  it("puts a finding at the line that it quotes, and in the role that was asked", async () => {
    const [look] = await lookWith({ rules: answering([finding]) });
    expect(look?.outcome).toMatchObject({
      kind: "completed",
      findings: [{ role: "general", lines: { first: 2, last: 2 } }],
      costMicroUsd: 7,
    });
  });

  it("says who could not be asked", async () => {
    const [, look] = await lookWith({ rules: answering([]) });
    expect(look).toMatchObject({ role: "deep", outcome: { kind: "not_run", why: expect.stringContaining('"model"') } });
  });

  it("takes findings that are not well formed for a failure", async () => {
    const [look] = await lookWith({ rules: answering([{ ...finding, score: 70 }]) });
    expect(look?.outcome).toMatchObject({ kind: "failed", costMicroUsd: 7 });
  });

  it("tells a failure as it was told", async () => {
    const failing = aReviewer(() => ({ kind: "failed", why: "No answer.", retryAt: null, costMicroUsd: 3 }));
    const [look] = await lookWith({ rules: failing });
    expect(look?.outcome).toEqual({ kind: "failed", why: "No answer.", costMicroUsd: 3 });
  });
});
