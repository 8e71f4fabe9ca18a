import { afterAll, beforeAll, expect, test } from "vitest";
import { type ModelProvider, modelWords, openModelProvider, talkWords } from "#harness/model-provider.ts";
import { type GithubRunner, openRunner } from "./runner.ts";
import { blocking, blocksIn, left } from "./seen.ts";

let runner: GithubRunner;
let provider: ModelProvider;
beforeAll(async () => {
  [runner, provider] = await Promise.all([openRunner(), openModelProvider()]);
});
afterAll(async () => {
  await runner.close();
  await provider.close();
});

const inputs = { openrouter_api_key: "sk-or-very-secret", model: "some/model" };

function bodiesOf(asked: ModelProvider): readonly string[] {
  return asked.asked().map(({ body }) => body);
}

test("a key for OpenRouter has the pull reviewed by the model, beside the rules", async () => {
  const pull = await runner.openPull(blocking);
  const { code, log, outputs, summary } = await runner.jobHere({ event: "pull_request", pull, inputs }, provider.fetch);
  expect({ code, verdict: outputs["verdict"], tasks: outputs["tasks_executed"] }).toEqual({
    code: 1,
    verdict: "blocked",
    tasks: "2",
  });
  expect(summary).toContain(modelWords);
  const reviews = JSON.stringify(runner.sandbox.look(pull).reviews);
  expect(reviews).toContain("drover:review general");
  expect(reviews).toContain("drover:review rules");
  expect(provider.asked().map(({ path }) => path)).toEqual(Array.from({ length: 3 }, () => "/api/v1/chat/completions"));
  for (const body of bodiesOf(provider)) {
    expect(body).toContain('"model":"some/model"');
    expect(body).not.toContain("sk-or-very-secret");
  }
  expect(log).toContain(
    "models are configured without a cap on their cost (cap: budgets: { pullUsd: 3, dayUsd: 50, allowUnpriced: true })",
  );
  // Told once, to the runner, so that it is blotted out everywhere else.
  expect(log.replaceAll(/^::add-mask::.*$/gm, "") + summary + reviews).not.toContain("sk-or-very-secret");
});

test("a fork's job, which has no keys, is reviewed by the rules alone", async () => {
  const pull = await runner.openPull(blocking);
  const before = provider.asked().length;
  const asked = { event: "pull_request" as const, pull, fork: "eve/tools" };
  const keyless = await runner.jobHere({ ...asked, inputs: { ...inputs, openrouter_api_key: "" } }, provider.fetch);
  expect(keyless.outputs["verdict"]).toBe("blocked");
  const config = `models: { own: { chain: [{ provider: openai, model: x }] } }\nrules: { reviews: { roles: [{ name: deep, reviewer: model }] } }`;
  const configured = await runner.jobHere({ ...asked, inputs: { config } }, provider.fetch);
  expect(configured.log).toContain("Roles that a model plays are left out");
  expect(configured.outputs["verdict"]).toBe("blocked");
  expect(provider.asked()).toHaveLength(before);
});

test("the file that a runner takes from the repository can ask a model as well", async () => {
  const pull = await runner.openPull(blocking);
  const before = provider.asked().length;
  const config = [
    `forges: [{ name: github, kind: github, apiUrl: "${runner.github.url}", token: { env: GITHUB_TOKEN }, writeGapMs: 0 }]`,
    `models: { own: { chain: [{ provider: openrouter, model: x/y, baseUrl: "${provider.url}/api/v1" }] } }`,
    "rules: { reviews: { roles: [{ name: deep, reviewer: model }] } }",
  ].join("\n");
  const { code, log, outputs } = await runner.job({ event: "pull_request", pull, inputs: { ...inputs, config } });
  expect({ code, verdict: outputs["verdict"], tasks: outputs["tasks_executed"] }).toEqual({
    code: 1,
    verdict: "blocked",
    tasks: "1",
  });
  expect(provider.asked().length - before).toBe(3);
  expect(log.replaceAll(/^::add-mask::.*$/gm, "")).not.toContain("sk-or-very-secret");
});

/** A model answers; the rules alone review. */
const talking = {
  openrouter_api_key: inputs.openrouter_api_key,
  config: [
    "models: { own: { chain: [{ provider: openrouter, model: x/y }] } }",
    "rules: { reviews: { roles: [{ name: rules, reviewer: rules }] } }",
  ].join("\n"),
};

test("a question in a review, and one that somebody edits into a remark in the diff, are answered by the jobs they wake", async () => {
  const pull = await runner.openPull({ "src/reviewed.ts": "export const reviewed = 1;\n" });
  await runner.rita.review(pull, {
    event: "comment",
    body: "@drover what does it do there?",
    remarks: [{ path: "src/reviewed.ts", lines: { first: 1, last: 1 }, side: "new", body: "Hm." }],
  });
  await runner.jobHere({ event: "pull_request_review", pull, inputs: talking }, provider.fetch);
  const answers = left(runner, pull).comments.filter((body) => body.includes("In answer to `rita`"));
  expect(answers).toEqual([expect.stringContaining(talkWords)]);
  expect(answers[0]).toMatch(/\[their words\]\(#pullrequestreview-\d+\)/);
  const remark = runner.sandbox.look(pull).threads[0]?.comments[0];
  if (remark === undefined) throw new Error("there is a remark");
  await runner.rita.editComment(pull, remark.id, "@drover why is it exported?");
  await runner.jobHere({ event: "pull_request_review_comment", pull, inputs: talking }, provider.fetch);
  expect(left(runner, pull).remarks).toEqual([expect.stringContaining(talkWords)]);
});

test.each(["0", "2"])("a question that no model answers ends the same with max_retries %s", async (retries) => {
  const pull = await runner.openPull({ [`src/retried-${retries}.ts`]: "export const retried = 1;\n" });
  await runner.rita.comment(pull, "@drover what does it do there?");
  const asked = { event: "issue_comment" as const, pull, inputs: { ...talking, max_retries: retries } };
  const answers = (): readonly string[] =>
    left(runner, pull).comments.filter((body) => body.includes("In answer to `rita`"));
  const states = (): readonly unknown[] =>
    blocksIn(answers())
      .filter(({ type }) => type === "question")
      .map(({ data }) => data);
  provider.refuse(400);
  const down = await runner.jobHere(asked, provider.fetch);
  expect({ code: down.code, verdict: down.outputs["verdict"], tasks: down.outputs["tasks_executed"] }).toEqual({
    code: 1,
    verdict: "failed",
    tasks: "2",
  });
  expect(answers()).toEqual([expect.stringContaining("**This could not be answered yet:**")]);
  expect(answers()[0]).toContain("It is tried again, and this comment becomes the answer.");
  expect(states()).toMatchObject([{ status: "FAILED", failure: { attempts: 0, retryAt: null } }]);
  provider.refuse(null);
  const up = await runner.jobHere(asked, provider.fetch);
  expect({ code: up.code, verdict: up.outputs["verdict"] }).toEqual({ code: 0, verdict: "passed" });
  expect(answers()).toEqual([expect.stringContaining(talkWords)]);
  expect(states()).toMatchObject([{ status: "ANSWERED" }]);
});
