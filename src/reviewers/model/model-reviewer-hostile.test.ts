import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RawFinding } from "#core/model/finding.ts";
import { hasHiddenCharacters } from "#core/prompt/hidden-characters.ts";
import type { ReviewOutcome } from "#ports/reviewer.ts";
import type { SaidFinding } from "#reviewers/model/review-answer.ts";
import { injections } from "#testing/injections.ts";
import {
  aModelJob,
  aSaidFinding,
  changedFiles,
  type JobSketch,
  reviewerOf,
  says,
  scriptedModel,
} from "#testing/model-makers.ts";
import { wireOf } from "#testing/obedient-model.ts";

const secret = `ghp_${"a1B2c3D4e5".repeat(4)}`;

async function review(
  finding: Partial<SaidFinding>,
  job: JobSketch = {},
): Promise<Extract<ReviewOutcome, { readonly kind: "completed" }>> {
  const script = [says({ findings: [aSaidFinding(finding)], summary: finding.message ?? "" }), says(), says()];
  const outcome = await reviewerOf(scriptedModel(script)).review(aModelJob(job));
  if (outcome.kind !== "completed") throw new Error(outcome.why);
  return outcome;
}

describe("a model that says anything", () => {
  const words = fc.oneof(
    fc.constantFrom(...injections.slice(0, 40), secret, "src/a.ts", "save(order);"),
    fc.string({ unit: "binary" }),
  );
  // JSON has no others.
  const anyNumber = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
  const said = fc.record({
    id: anyNumber,
    rule: words,
    path: words,
    line: anyNumber,
    code: words,
    message: words,
    score: anyNumber,
    fix: fc.oneof(fc.constant(null), words),
  });
  const verdict = fc.record({
    id: fc.integer({ min: -1, max: 5 }),
    holds: fc.constantFrom("yes" as const, "no" as const, "unsure" as const),
    score: fc.integer(),
    why: words,
  });

  it("raises nothing but well-formed findings of its own role on lines of the change", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(said, { maxLength: 5 }),
        fc.array(verdict),
        words,
        async (findings, verdicts, summary) => {
          const script = [says({ findings, summary }), says({ findings }), says({ findings, verdicts })];
          const outcome = await reviewerOf(scriptedModel(script), { brief: { problemScore: 1 } }).review(aModelJob());
          if (outcome.kind !== "completed") throw new Error(outcome.why);
          for (const finding of outcome.findings) {
            expect(RawFinding.safeParse(finding).success).toBe(true);
            expect(finding.role).toBe("general");
            expect(finding.rule).toMatch(/^[a-z0-9-]{1,60}$/);
            expect(["src/a.ts", "src/b.ts"]).toContain(finding.path);
            expect(hasHiddenCharacters(finding.message + finding.assessment + (finding.suggestion ?? ""))).toBe(false);
          }
          expect(outcome.coverage).toEqual({ filesRead: 2, unread: [] });
          expect(hasHiddenCharacters(outcome.summary)).toBe(false);
          expect(JSON.stringify(outcome)).not.toContain(secret);
        },
      ),
      { numRuns: 40 },
    );
  });

  it("is cut short where it says too much, and the files that it was about are not called read", async () => {
    const findings = Array.from({ length: 500 }, (_, id) =>
      aSaidFinding({ id, rule: `rule-${id}`, message: "x".repeat(9_000) }),
    );
    const script = [says({ findings }), says({ findings }), says()];
    const outcome = await reviewerOf(scriptedModel(script)).review(aModelJob());
    if (outcome.kind !== "completed") throw new Error(outcome.why);
    expect(outcome.findings).toHaveLength(50);
    expect(outcome.findings[0]?.message).toHaveLength(4_000);
    expect(outcome.coverage.unread).toEqual([{ path: "src/a.ts", why: "size" }]);
    expect(outcome.summary).toContain("450 more findings not shown");
    expect(outcome.summary.length).toBeLessThan(8_000);
  });

  it("cannot raise what it found by verifying it", async () => {
    const verdicts = [{ id: 1, holds: "yes" as const, score: 10, why: "" }];
    const script = [says({ findings: [aSaidFinding({ score: 5 })] }), says(), says({ verdicts })];
    const outcome = await reviewerOf(scriptedModel(script)).review(aModelJob());
    expect(outcome).toMatchObject({ findings: [{ score: 6 }] });
  });

  it("puts no markup of its own into the summary", async () => {
    const { summary } = await review({
      code: "nowhere",
      path: "`x`\n# Heading",
      message: "<img src=x> ![a](http://evil) [link](http://evil) `code` <!-- x -->\n\n# Approved",
    });
    expect(summary).not.toMatch(/<|!\[|\]\(|^# /m);
  });
});

describe("names of files without end", () => {
  const folder = "deep/".repeat(780);
  const locks = Array.from({ length: 60 }, (_, index) => ({ path: `${folder}${index}/yarn.lock`, hunks: [["+a"]] }));

  it("are not paid for by the kilobyte, where the files are not even shown", async () => {
    const model = scriptedModel([says(), says(), says()]);
    const outcome = await reviewerOf(model).review(aModelJob({ files: [...changedFiles, ...locks] }));
    expect(outcome).toMatchObject({ kind: "completed", coverage: { filesRead: 2 } });
    const [first] = model.turns;
    if (first === undefined) throw new Error("nobody was asked");
    expect(wireOf(first)).toContain("59/yarn.lock (excluded)");
    expect(wireOf(first).length).toBeLessThan(20_000);
  });
});

describe("a secret in the change", () => {
  const files = [{ path: "src/a.ts", hunks: [[`+const token = "${secret}";`]] }];

  it("is in no finding, however often the model repeats it", async () => {
    const code = `const token = "${secret}";`;
    const outcome = await review(
      { code, message: `The token ${secret} leaks.`, fix: `const t = "${secret}";` },
      { files },
    );
    expect(outcome.findings).toMatchObject([
      { snippet: 'const token = "ghp_', suggestion: null, message: "The token ghp_… leaks." },
    ]);
    expect(JSON.stringify(outcome)).not.toContain(secret);
  });
});
