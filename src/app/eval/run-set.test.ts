import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readSet } from "#app/eval/eval-set.ts";
import { type RunSetOptions, runSet } from "#app/eval/run-set.ts";
import { countRun } from "#core/eval/counts.ts";
import { Rules } from "#core/model/rules.ts";
import { asConfigured } from "#core/review/offer-terms.ts";
import type { Reviewer, ReviewJob, ReviewOutcome } from "#ports/reviewer.ts";
import { anEvalFinding } from "#testing/eval-makers.ts";
import { cleanCase, loopCase, makeFolder } from "#testing/eval-set-makers.ts";
import { aCompletedReview, aReviewer, onlyModel } from "#testing/review-makers.ts";
import { aModelCall } from "#testing/spend-maker.ts";

const names = ["a", "b", "c", "d", "e", "f", "g"];
let folder: string;
let cases: RunSetOptions["cases"];
beforeAll(async () => {
  folder = await makeFolder(Object.assign({}, cleanCase("clean"), ...names.map((name) => loopCase(name))));
  cases = (await readSet(folder)).cases;
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const hit = anEvalFinding(2, { snippet: "  save(page);" });
const { reviews } = Rules.parse({ reviews: { roles: [{ name: "general", reviewer: "model" }] } });

function completed(parts: Parameters<typeof aCompletedReview>[0] = {}): ReviewOutcome {
  return aCompletedReview({ findings: [hit], costMicroUsd: 10, ...parts });
}

async function run(model: Reviewer, parts: Partial<RunSetOptions> = {}) {
  return await runSet({
    configuration: "test",
    cases,
    reviews,
    roles: reviews.roles,
    reviewers: onlyModel(model),
    attempts: 1,
    looksMax: 2,
    budgetMicroUsd: null,
    kept: null,
    maker: "",
    signal: new AbortController().signal,
    tell: () => undefined,
    now: () => 0,
    ...parts,
  });
}

describe("running a set", () => {
  it("lets the role look at every case, as often as wanted", async () => {
    const result = await run(
      aReviewer(() => completed()),
      { attempts: 3 },
    );
    expect(result.ending).toEqual({ kind: "whole" });
    expect(result.cases.map(({ looks }) => looks.map(({ attempt }) => attempt))).toEqual(cases.map(() => [1, 2, 3]));
    expect(countRun(result)).toMatchObject({ looks: 24, expected: 21, found: 21, wrong: 3 });
  });

  it("tells the reviewer what a pull would, and nothing of what it has to find", async () => {
    const jobs: ReviewJob[] = [];
    await run(
      aReviewer((job) => {
        jobs.push(job);
        return completed();
      }),
    );
    expect(jobs[0]).toMatchObject({
      role: "general",
      brief: { problemScore: 5 },
      about: { title: "Save all pages", description: "" },
    });
    expect(JSON.stringify({ ...jobs[0], diff: "" })).not.toContain("Nobody waits");
  });

  it("says how far it is, and what was paid so far", async () => {
    const told: string[] = [];
    await run(
      aReviewer(() => completed()),
      { looksMax: 1, tell: (words) => told.push(words) },
    );
    expect(told).toHaveLength(8);
    expect(told.at(2)).toBe("test: 3 of 8 looks, $0.0001");
    expect(told.at(-1)).toBe("test: 8 of 8 looks, $0.0001");
  });

  it("counts once what a pull would show once", async () => {
    const again = { ...hit, rule: "other-name", message: "The same in other words.", score: 9 };
    const result = await run(aReviewer(() => completed({ findings: [hit, again] })));
    expect(countRun(result)).toMatchObject({ found: 7, wrong: 1, repeats: 0 });
  });

  it("drops what would not be shown, and moves findings to the code that they quote", async () => {
    const minor = anEvalFinding(3, { score: 4 });
    const moved = { ...hit, lines: { first: 900, last: 900 } };
    const result = await run(aReviewer(() => completed({ findings: [minor, moved] })));
    expect(countRun(result)).toMatchObject({ found: 7, wrong: 1 });
  });

  it("never has more looks under way than allowed", async () => {
    let underWay = 0;
    let most = 0;
    await run(
      aReviewer(async () => {
        underWay += 1;
        most = Math.max(most, underWay);
        await Promise.resolve();
        underWay -= 1;
        return completed();
      }),
      { looksMax: 3 },
    );
    expect(most).toBe(3);
  });

  it("adds up tokens and money of all calls", async () => {
    const call = aModelCall({ ms: 1, costMicroUsd: 5 });
    const model = aReviewer((job) => {
      job.onCall?.({ ...call, tokensIn: 100, tokensCached: 60, tokensOut: 7, isPriced: true });
      job.onCall?.({ ...call, tokensIn: 50, tokensCached: 0, tokensOut: 3, isPriced: false });
      // It broke off, and nobody counted.
      job.onCall?.({ ...call, tokensIn: 0, tokensCached: 0, tokensOut: 0, costMicroUsd: 0, isPriced: false });
      return completed();
    });
    const { cases: results } = await run(model);
    expect(results[0]?.looks[0]?.spent).toEqual({
      costMicroUsd: 10,
      unpricedCalls: 2,
      tokensIn: 150,
      tokensCached: 60,
      tokensOut: 10,
      ms: 0,
      isKept: false,
    });
  });

  it("shows what failed as failed, and goes on", async () => {
    const outcomes: ReviewOutcome[] = [
      { kind: "unreadable", why: "No JSON.", costMicroUsd: 3 },
      completed({ findings: [anEvalFinding(0)] }),
    ];
    const result = await run(
      aReviewer(() => outcomes.shift() ?? completed()),
      { looksMax: 1 },
    );
    expect(result.ending).toEqual({ kind: "whole" });
    expect(result.cases.map(({ looks: [look] }) => look?.outcome.kind)).toEqual([
      "failed",
      "failed",
      ...Array<string>(6).fill("judged"),
    ]);
  });

  it("gives up after failures in a row, and says how much is left", async () => {
    const model = aReviewer(() => ({ kind: "failed", why: "The key is wrong.", retryAt: null }));
    const { ending } = await run(model, { looksMax: 1 });
    expect(ending).toEqual({ kind: "stopped", why: "failing", looksLeft: 3, lostMicroUsd: 0 });
  });
});

describe("a run that is stopped", () => {
  it("keeps what was done, and says what unfinished looks cost", async () => {
    const stopping = new AbortController();
    let looks = 0;
    const model = aReviewer(() => {
      looks += 1;
      if (looks === 4) stopping.abort();
      return completed();
    });
    const result = await run(model, { looksMax: 1, signal: stopping.signal });
    expect(result.ending).toEqual({ kind: "stopped", why: "asked", looksLeft: 5, lostMicroUsd: 10 });
    expect(countRun(result)).toMatchObject({ looks: 3 });
    expect(looks).toBe(4);
  });
});

function offering(costMicroUsd: number | null): NonNullable<Reviewer["offers"]> {
  return async () => [{ terms: asConfigured, delivery: "now", costMicroUsd }];
}

describe("a budget", () => {
  it("is never exceeded by looks that cost what earlier ones did", async () => {
    const result = await run(
      aReviewer(() => completed()),
      { budgetMicroUsd: 35, looksMax: 8 },
    );
    const shortage = { lookMicroUsd: 10, by: "earlier_looks", leftMicroUsd: 5 };
    expect(result.ending).toEqual({ kind: "stopped", why: "budget", looksLeft: 5, lostMicroUsd: 0, shortage });
  });

  it("is kept by what the reviewer says a look will cost, before the first one", async () => {
    const result = await run(
      aReviewer(() => completed(), { offers: offering(50) }),
      { budgetMicroUsd: 49 },
    );
    const shortage = { lookMicroUsd: 50, by: "prices", leftMicroUsd: 49 };
    expect(result.ending).toMatchObject({ why: "budget", looksLeft: 8, shortage });
  });

  it("is refused where nobody knows the price", async () => {
    await expect(
      run(
        aReviewer(() => completed(), { offers: offering(null) }),
        { budgetMicroUsd: 49 },
      ),
    ).rejects.toThrow("The price of the model for role general is unknown");
  });

  it("that suffices changes nothing", async () => {
    const result = await run(
      aReviewer(() => completed()),
      { budgetMicroUsd: 80, looksMax: 3 },
    );
    expect(result.ending).toEqual({ kind: "whole" });
  });
});
