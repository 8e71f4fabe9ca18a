import { afterAll, beforeAll, expect, test } from "vitest";
import { type ModelProvider, modelWords, openModelProvider } from "#town/model-provider.ts";
import { type GithubRunner, openRunner } from "./runner.ts";
import { blocking } from "./seen.ts";

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
  expect(log).toContain("nothing caps what they cost (cap: budgets: { pullUsd: 3, dayUsd: 50, allowUnpriced: true })");
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
