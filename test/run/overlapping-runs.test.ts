import { afterAll, beforeAll, expect, it } from "vitest";
import { type ModelProvider, openModelProvider, talkWords } from "#harness/model-provider.ts";
import { claimSigns } from "#ports/forge.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { type CallOptions, goodChange, openRunWorld, type RunWorld } from "./run-world.ts";

let world: RunWorld;
let provider: ModelProvider;
beforeAll(async () => {
  [world, provider] = await Promise.all([openRunWorld(), openModelProvider()]);
});
afterAll(async () => {
  await world.close();
  await provider.close();
});

async function run(pull: PullRef): ReturnType<RunWorld["drover"]> {
  const entry = `{ provider: anthropic, model: claude-sonnet-4-5, baseUrl: '${provider.url}/v1' }`;
  const rules = "rules: { reviews: { roles: [{ name: rules, reviewer: rules }] } }";
  const options: CallOptions = {
    env: { ANTHROPIC_API_KEY: "key" },
    files: { "c.yml": `models: { main: { chain: [${entry}] } }\n${rules}\n` },
  };
  return await world.drover(["run", "--pull", String(pull.number), "--config", "c.yml"], options);
}

function isClaimed(pull: PullRef): boolean {
  return world.forge.sandbox.look(pull).reactions.some(({ content }) => claimSigns.some((sign) => sign === content));
}

it("two runs at once pay once and answer once, and leave no claim behind", async () => {
  const pull = await world.openPull(goodChange);
  await world.forge.sandbox.as(world.forge.people.mia).comment(pull, "@drover what is it for?");
  const before = provider.asked().length;
  const [first, second] = await Promise.all([run(pull), run(pull)]);
  expect([first.code, second.code]).toEqual([0, 0]);
  expect(`${first.out}${first.err}${second.out}${second.err}`).toContain("waiting: another run has been working");
  const asked = provider.asked().slice(before);
  expect(asked.filter(({ body }) => body.includes("Say what it is:"))).toHaveLength(1);
  const { comments, reviews } = world.forge.sandbox.look(pull);
  expect(comments.filter(({ body }) => body.includes(talkWords))).toHaveLength(1);
  expect(reviews).toHaveLength(1);
  expect(isClaimed(pull)).toBe(false);
});

it("a run that only looks claims nothing", async () => {
  const pull = await world.openPull(goodChange);
  await world.forge.sandbox.as(world.forge.people.drover).react(pull, claimSigns[0]);
  const { out } = await world.drover(["explain", "--pull", String(pull.number)]);
  expect(out).not.toContain("another run");
  expect(isClaimed(pull)).toBe(true);
});
