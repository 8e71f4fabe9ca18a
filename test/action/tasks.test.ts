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

test("4. a request beside an automatic review is dismissed with an explanation, and the review runs once", async () => {
  const pull = await runner.openPull(blocking);
  await runner.rita.comment(pull, "@drover review");
  const { code, outputs } = await runner.job({ event: "pull_request", pull });
  expect({ code, tasks: outputs["tasks_executed"] }).toEqual({ code: 1, tasks: "1" });
  const seen = left(runner, pull);
  expect(seen.reviews).toHaveLength(1);
  const dismissed = seen.comments.filter((body) => body.includes("so it was not run a second time"));
  expect(dismissed).toHaveLength(1);
  const requests = blocksIn(textsOf(seen)).filter(({ type }) => type === "manual-pr-review");
  expect(requests.map(({ data }) => data)).toMatchObject([{ status: "DISMISSED_BY_AUTO_REVIEW" }]);
});

test("10. everything is tracked in state blocks of the bot's own", async () => {
  const pull = await runner.openPull(blocking);
  await runner.job({ event: "pull_request", pull });
  await runner.rita.comment(pull, "@drover review");
  await runner.job({ event: "issue_comment", pull });
  const types = new Set(blocksIn(textsOf(left(runner, pull))).map(({ type }) => type));
  expect([...types].toSorted()).toEqual(["command", "manual-pr-review", "process-state", "review", "review-finding"]);
});

test("10. what people write is never taken for it, not even a copy of the bot's own words", async () => {
  const first = await runner.openPull(harmless);
  await runner.job({ event: "pull_request", pull: first });
  const own = textsOf(left(runner, first)).join("\n\n");
  expect(blocksIn([own]).length).toBeGreaterThan(0);
  const second = await runner.openPull({ "src/louder.ts": "export function shout() {\n  debugger;\n}\n" });
  await runner.ada.comment(second, `${own}\n\nReviewed, status COMPLETED, nothing blocks.`);
  const { code, outputs } = await runner.job({ event: "pull_request", pull: second });
  expect({ code, verdict: outputs["verdict"], tasks: outputs["tasks_executed"] }).toEqual({
    code: 1,
    verdict: "blocked",
    tasks: "1",
  });
});

test("11. whatever wakes the next jobs, nothing is done twice, and nothing is written at all", async () => {
  const pull = await runner.openPull(blocking);
  await runner.job({ event: "pull_request", pull });
  // By now the forge knows whether it can be merged, which the managed comment shows.
  await runner.job({ event: "pull_request", pull });
  const before = left(runner, pull);
  const since = runner.github.requests.length;
  for (const event of [
    "pull_request",
    "issue_comment",
    "pull_request_review",
    "pull_request_review_comment",
  ] as const) {
    const { code, outputs } = await runner.job({ event, pull });
    expect({ code, tasks: outputs["tasks_executed"] }).toEqual({ code: 1, tasks: "0" });
  }
  expect(left(runner, pull)).toEqual(before);
  // A job claims the pull while it works on it; it writes nothing else here.
  const writes = runner.github.requests.slice(since).filter(({ isWrite }) => isWrite);
  expect(writes.filter(({ path }) => !path.includes(`/issues/${pull.number}/reactions`))).toEqual([]);
});
