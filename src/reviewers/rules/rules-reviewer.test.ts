import { describe, expect, it } from "vitest";
import { encodeText } from "#core/diff/decode-text.ts";
import { ReviewRules } from "#core/model/rules.ts";
import { briefOf } from "#core/review/role-brief.ts";
import type { ReviewOutcome } from "#ports/reviewer.ts";
import { reviewLimits } from "#reviewers/rules/review-limits.ts";
import { aJob, binaryFile, changedFile, deletedFile, newFile, reviewWithRules } from "#testing/rules-makers.ts";

function completed(outcome: ReviewOutcome): ReviewOutcome & { readonly kind: "completed" } {
  if (outcome.kind !== "completed") throw new Error(`${outcome.kind}: ${outcome.why}`);
  return outcome;
}

const clean = newFile("src/clean.ts", "export const a = 1;");
const focus = newFile("src/a.test.ts", "fit('x', () => {});");

describe("the coverage", () => {
  it("counts what was read and names what was not", async () => {
    const long = newFile("long.txt", "x".repeat(reviewLimits.lineBytesMax + 1));
    const files = [clean, focus, binaryFile("logo.png"), long, deletedFile("gone.ts", "a"), newFile("skip/me.ts", "a")];
    const { coverage } = completed(await reviewWithRules({ ...aJob(files), excludedPaths: ["/skip/"] }));
    expect(coverage).toEqual({
      filesRead: 3,
      unread: [
        { path: "logo.png", why: "binary" },
        { path: "long.txt", why: "size" },
        { path: "skip/me.ts", why: "excluded" },
      ],
    });
  });

  it("counts a deleted binary as read, and a path with two entries once", async () => {
    const link = [deletedFile("a", "text"), { ...newFile("a", "target"), newMode: "120000" }];
    const { coverage } = completed(await reviewWithRules(aJob(link)));
    expect(coverage).toEqual({ filesRead: 1, unread: [] });
  });

  it("says of an excluded file nothing at all", async () => {
    const { findings } = completed(await reviewWithRules({ ...aJob([focus]), excludedPaths: ["*.test.ts"] }));
    expect(findings).toEqual([]);
  });

  it("leaves what is not among the paths of its role to other roles, and names it", async () => {
    const roles = [{ name: "general", reviewer: "rules" as const, paths: ["/src/"] }];
    const brief = briefOf(ReviewRules.parse({ roles }), "general");
    const files = [focus, newFile("docs/b.test.ts", "fit('x', () => {});")];
    const { coverage, findings } = completed(await reviewWithRules({ ...aJob(files), brief }));
    expect(findings.map(({ path }) => path)).toEqual(["src/a.test.ts"]);
    expect(coverage).toEqual({ filesRead: 1, unread: [{ path: "docs/b.test.ts", why: "excluded" }] });
  });

  it("tells of a pattern that cannot be read, which excludes nothing", async () => {
    const { coverage, summary } = completed(
      await reviewWithRules({ ...aJob([clean]), excludedPaths: ["!src/", "[a]"] }),
    );
    expect(coverage.filesRead).toBe(1);
    expect(summary).toContain("The pattern `!src/` cannot be read");
  });
});

describe("an outcome", () => {
  it("is unreadable for a diff that is broken or combined", async () => {
    const broken = { ...aJob([]), diff: encodeText("no diff at all") };
    const merge = { ...aJob([]), diff: encodeText("diff --cc a\nindex 1,2..3\n") };
    expect(await reviewWithRules(broken)).toMatchObject({
      kind: "unreadable",
      why: expect.stringContaining("no diff"),
    });
    expect(await reviewWithRules(merge)).toMatchObject({
      kind: "unreadable",
      why: expect.stringContaining("combined diff"),
    });
  });

  it("is a failure where the repository cannot be read", async () => {
    const job = { ...aJob([changedFile("a.ts", " a", "+b")]), readFile: () => Promise.reject(new Error("disk gone")) };
    expect(await reviewWithRules(job)).toEqual({
      kind: "failed",
      why: "A file of the repository could not be read: disk gone",
      retryAt: null,
    });
  });

  it("is a failure once it was cancelled", async () => {
    expect(await reviewWithRules({ ...aJob([clean]), signal: AbortSignal.abort() })).toMatchObject({ kind: "failed" });
  });

  it("of an empty diff has read nothing and found nothing", async () => {
    expect(completed(await reviewWithRules(aJob([])))).toMatchObject({
      findings: [],
      coverage: { filesRead: 0, unread: [] },
    });
  });
});

describe("a limit on findings", () => {
  const many = newFile("src/a.test.ts", ...Array.from({ length: 60 }, () => "fit('x', () => {});"));

  it("keeps the first ones, says so, and does not count the file as read", async () => {
    const { findings, coverage, summary } = completed(await reviewWithRules(aJob([many])));
    expect(findings.map(({ lines }) => lines.first)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
    expect(coverage).toEqual({ filesRead: 0, unread: [{ path: "src/a.test.ts", why: "size" }] });
    expect(summary).toContain("10 more findings of `focused-test` in `src/a.test.ts` not shown");
  });

  it("holds for a rule in all files together", async () => {
    const files = Array.from({ length: 6 }, (_, index) => ({ ...many, path: `src/a${index}.test.ts` }));
    const { findings } = completed(await reviewWithRules(aJob(files)));
    expect(findings.length).toBe(reviewLimits.findingsPerRuleMax);
  });
});

describe("a review", () => {
  it("has the role of the job, costs nothing and sums itself up", async () => {
    const outcome = completed(await reviewWithRules({ ...aJob([clean, focus]), role: "security" }));
    expect(outcome.findings.map(({ role, rule }) => [role, rule])).toEqual([["security", "focused-test"]]);
    expect(outcome.costMicroUsd).toBe(0);
    expect(outcome.summary).toMatch(/^2 files read with \d+ rules: 1 finding\.$/);
  });

  it("does not judge generated code as if somebody had written it", async () => {
    const lines = ["// Code generated by x. DO NOT EDIT.", "debugger;"];
    expect(completed(await reviewWithRules(aJob([newFile("src/api.ts", ...lines)]))).findings).toEqual([]);
  });

  it("quotes a line with a secret by nobody but the rule for secrets", async () => {
    const secret = ["glp", "at-", "kQ7vXz2RmB9tLw4HdYc6"].join("");
    const { findings } = completed(
      await reviewWithRules(aJob([newFile("src/a.ts", "run();", `console.log("${secret}", debug);`, "debugger;")])),
    );
    expect(findings.map(({ rule, lines }) => [rule, lines.first])).toEqual([
      ["leaked-secret", 2],
      ["debugger-statement", 3],
    ]);
  });
});
