import { afterAll, beforeAll, expect, it } from "vitest";
import { type ModelProvider, modelWords, openModelProvider, talkWords } from "#harness/model-provider.ts";
import { sharedBeginning } from "#harness/shared-beginning.ts";
import { badChange, openRunWorld, type RunWorld } from "./run-world.ts";

let world: RunWorld;
let provider: ModelProvider;
beforeAll(async () => {
  [world, provider] = await Promise.all([openRunWorld(), openModelProvider()]);
});
afterAll(async () => {
  await world.close();
  await provider.close();
});

const key = "key-7c6b5a-not-for-anybody";

function configOf(more = ""): string {
  const entry = `{ provider: anthropic, model: claude-sonnet-4-5, baseUrl: '${provider.url}/v1' }`;
  const roles = "[{ name: deep, reviewer: model }, { name: rules, reviewer: rules }]";
  return `models: { main: { chain: [${entry}] } }\nrules: { reviews: { roles: ${roles}${more} } }\n`;
}

it("a run asks the model of its configuration, and says what that cost", async () => {
  const { number } = await world.openPull(badChange);
  const { code, out, err } = await world.drover(["run", "--pull", String(number), "--config", "c.yml", "--json"], {
    env: { ANTHROPIC_API_KEY: key },
    files: { "c.yml": configOf() },
  });
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({
    verdict: "blocked",
    cost: expect.stringMatching(/^0\.0\d*[1-9]/),
    tasks: [
      { kind: "review", subject: "deep", result: "done" },
      { kind: "review", subject: "rules", result: "done" },
    ],
  });
  expect(out).toContain(modelWords);
  expect(out + err).not.toContain(key);
  expect(err).toContain("models are configured without a cap on their cost (cap: budgets: { pullUsd: 3, dayUsd: 50 })");
  expect(provider.asked().map(({ path }) => path)).toEqual(["/v1/messages", "/v1/messages", "/v1/messages"]);
});

it("a run's answer begins as its review does, so that one cache serves both", async () => {
  const before = provider.asked().length;
  const pull = await world.openPull(badChange);
  await world.forge.sandbox.as(world.forge.people.rita).comment(pull, "@drover what does it do there?");
  const { out } = await world.drover(["run", "--pull", String(pull.number), "--config", "c.yml", "--json"], {
    env: { ANTHROPIC_API_KEY: key },
    files: { "c.yml": configOf() },
  });
  expect(JSON.parse(out)).toMatchObject({ tasks: [{ kind: "question", result: "done" }, { subject: "deep" }, {}] });
  const said = world.forge.sandbox.look(pull).comments.map(({ body }) => body);
  expect(said.join()).toContain(talkWords);
  const asked = provider
    .asked()
    .slice(before)
    .map(({ body }) => JSON.parse(body));
  const answer = asked.find((one) => JSON.stringify(one).includes("Answer the question"));
  const find = asked.find((one) => JSON.stringify(one).includes("Turn 1, find"));
  expect(answer.tools).toEqual(find.tools);
  expect(answer.messages[0]).toEqual(find.messages[0]);
  const [left = "", right = ""] = [answer, find].map((one) => JSON.stringify(one.messages[1]));
  expect(sharedBeginning(left, right)).toContain("debugger;");
});

it("a run without the key of its model does nothing and says which one", async () => {
  const { number } = await world.openPull(badChange);
  const { code, err } = await world.drover(["run", "--pull", String(number), "--config", "c.yml"], {
    files: { "c.yml": configOf() },
  });
  expect(code).toBe(2);
  expect(err).toContain("ANTHROPIC_API_KEY is not set");
});

it("a run goes by the file of the base branch, and says what of it does not hold", async () => {
  const [repository] = world.forge.repositories;
  if (repository === undefined) throw new Error("there is no repository");
  const changes = { ".drover.yml": "merge: { when: when_approved }\nreviews: { excludedPaths: [src/] }\n" };
  const mia = world.forge.sandbox.as(world.forge.people.mia);
  await mia.push({ repository, branch: "main", changes, message: "Leave src alone" });
  const pull = await world.openPull(badChange);
  const { code, out } = await world.drover(["run", "--pull", String(pull.number), "--json"]);
  expect({ code, ...JSON.parse(out) }).toMatchObject({ code: 0, verdict: "passed", findings: [] });
  const [review] = world.forge.sandbox.look(pull).reviews;
  expect(review?.body).toContain("`merge: only the operator can set it`");
});
