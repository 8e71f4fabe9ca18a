import { afterAll, beforeAll, expect, test } from "vitest";
import { openRunner, type Runner } from "./runner.ts";
import { blocking, blocksIn, harmless, left, textsOf } from "./seen.ts";

/** Criteria of the seed that gave Drover its one-shot mode, by their numbers. */

let runner: Runner;
beforeAll(async () => {
  runner = await openRunner();
});
afterAll(async () => {
  await runner.close();
});

test("6. an automatic review with blocking findings fails the job", async () => {
  const pull = await runner.openPull(blocking);
  const { code, outputs, summary, log } = await runner.job({ event: "pull_request", pull });
  expect({ code, outputs }).toEqual({
    code: 1,
    outputs: { tasks_executed: "1", has_blocking_issues: "true", verdict: "blocked", cost: "0.000000" },
  });
  const { reviews, remarks, gate } = left(runner, pull);
  expect(reviews.map(({ state }) => state)).toEqual(["commented"]);
  expect({ remarks: remarks.length, gate }).toEqual({ remarks: 1, gate: "failure" });
  expect(log).toContain("::error file=src/loud.ts,line=2,endLine=2,title=Drover%3A debugger-statement::");
  expect(summary).toContain("### Flight plan");
  expect(summary).toContain("- ❌ `src/loud.ts:2`");
});

test("6. one without lets the job pass", async () => {
  const pull = await runner.openPull(harmless);
  const { code, outputs } = await runner.job({ event: "pull_request", pull });
  const { reviews, comments, gate } = left(runner, pull);
  expect({ code, verdict: outputs["verdict"], gate }).toEqual({ code: 0, verdict: "passed", gate: "success" });
  expect(reviews.map(({ state }) => state)).toEqual(["commented"]);
  expect(reviews[0]?.body).toContain("This account may not approve here, so this is a comment");
  expect(comments.filter((body) => body.includes("failed"))).toEqual([]);
});

test("7. a manual review with blocking findings is for information", async () => {
  const pull = await runner.openPull(blocking);
  await runner.rita.comment(pull, "@drover disable-reviews");
  await runner.job({ event: "pull_request", pull });
  await runner.rita.comment(pull, "@drover review");
  const { code, outputs } = await runner.job({ event: "issue_comment", pull });
  expect({ code, outputs }).toEqual({
    code: 0,
    outputs: { tasks_executed: "1", has_blocking_issues: "true", verdict: "informational", cost: "0.000000" },
  });
});

test("7. one that the author asks for does not turn the red job of an automatic review green", async () => {
  const pull = await runner.openPull(blocking);
  expect((await runner.job({ event: "pull_request", pull })).code).toBe(1);
  await runner.ada.comment(pull, "@drover review");
  const { code, outputs } = await runner.job({ event: "pull_request", pull });
  expect({ code, outputs }).toEqual({
    code: 1,
    outputs: { tasks_executed: "1", has_blocking_issues: "true", verdict: "blocked", cost: "0.000000" },
  });
  expect(left(runner, pull).gate).toBe("failure");
});

test.each([
  // It has begun and cannot read the change, so the job waits until it is cancelled.
  ["in the middle of it", "git_fetch", "something has to be tried again"],
  // It has ended and nobody can tell whether it was posted, so the job waits as well.
  ["before it was posted", "create_review", "nobody knows yet whether it was written"],
])(
  "8. an automatic review that was cancelled %s is taken up by whatever comes next, and keeps the gate",
  async (_, spoilt, waiting) => {
    const pull = await runner.openPull(blocking);
    runner.spoil(({ endpoint }) => (endpoint === spoilt ? { kind: "server_error", isApplied: false } : null));
    const cancelled = await runner.start({ event: "pull_request", pull });
    await cancelled.process.said(waiting);
    cancelled.process.kill("SIGKILL");
    expect((await cancelled.end()).code).toBeNull();
    expect(left(runner, pull).reviews).toEqual([]);
    runner.spoil(() => null);
    await runner.ada.comment(pull, "@drover what is wrong with this?");
    const { code, outputs } = await runner.job({ event: "issue_comment", pull });
    expect({ code, outputs }).toEqual({
      code: 1,
      outputs: { tasks_executed: "2", has_blocking_issues: "true", verdict: "blocked", cost: "0.000000" },
    });
    expect(left(runner, pull).reviews.map(({ state }) => state)).toEqual(["commented"]);
  },
);

test("8. one that is asked to end says so, and fails", async () => {
  const pull = await runner.openPull(blocking);
  runner.spoil(({ endpoint }) => (endpoint === "create_review" ? { kind: "server_error", isApplied: false } : null));
  const job = await runner.start({ event: "pull_request", pull });
  await job.process.said("nobody knows yet whether it was written");
  job.process.kill("SIGINT");
  const { code, outputs, log } = await job.end();
  runner.spoil(() => null);
  expect({ code, verdict: outputs["verdict"] }).toEqual({ code: 1, verdict: "failed" });
  expect(log).toContain("the run was stopped; the next one goes on with it");
});

test("9. a network error fails the job and is told in one comment, however often the job is run", async () => {
  const pull = await runner.openPull(blocking);
  runner.spoil(({ endpoint }) => (endpoint === "git_fetch" ? { kind: "timeout", isApplied: false } : null));
  await runner.ada.comment(pull, "@drover is anybody there?");
  const inputs = { max_retries: "0" };
  const { code, outputs, log } = await runner.job({ event: "pull_request", pull, inputs });
  expect({ code, verdict: outputs["verdict"] }).toEqual({ code: 1, verdict: "failed" });
  expect(log).toMatch(/^::error title=Drover::a review failed \(tried \d times?\): git /m);
  // The question was answered all the same.
  expect(blocksIn(textsOf(left(runner, pull))).some(({ type }) => type === "question-answer")).toBe(true);
  await runner.job({ event: "pull_request", pull, inputs });
  runner.spoil(() => null);
  const told = left(runner, pull).comments.filter((body) => body.includes("failed**"));
  expect(told).toHaveLength(1);
  expect(told[0]).toContain("Run the job again, push, or comment");
  const { code: later } = await runner.job({ event: "pull_request", pull });
  expect({ later, reviews: left(runner, pull).reviews.length }).toEqual({ later: 1, reviews: 1 });
});

test("9. a forge that cannot be reached at all fails the job in words", async () => {
  const pull = { repository: runner.repository, number: 1 };
  const env = { GITHUB_API_URL: "http://127.0.0.1:9" };
  const { code, outputs, log } = await runner.job({ event: "pull_request", pull, env, inputs: { max_retries: "0" } });
  expect({ code, verdict: outputs["verdict"] }).toEqual({ code: 1, verdict: "failed" });
  expect(log).toContain("::error title=Drover::mia/tools cannot be read");
});
