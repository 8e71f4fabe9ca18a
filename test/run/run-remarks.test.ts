import { afterAll, beforeAll, expect, it } from "vitest";
import type { Account } from "#core/model/account.ts";
import { asideWords, type ModelProvider, openModelProvider, talkWords } from "#harness/model-provider.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { goodChange, openRunWorld, type RunWorld } from "./run-world.ts";

let world: RunWorld;
let provider: ModelProvider;
let otto: Account;
beforeAll(async () => {
  [world, provider] = await Promise.all([openRunWorld(), openModelProvider()]);
  otto = world.forge.sandbox.addAccount({ login: "otto", kind: "person" });
  for (const repository of world.forge.repositories) {
    world.forge.sandbox.setPermission({ repository, account: otto, permission: "read" });
  }
});
afterAll(async () => {
  await world.close();
  await provider.close();
});

function configOf(conversation = ""): string {
  const entry = `{ provider: anthropic, model: claude-sonnet-4-5, baseUrl: '${provider.url}/v1' }`;
  const rules = `rules: { reviews: { roles: [{ name: rules, reviewer: rules }] }${conversation} }`;
  return `models: { main: { chain: [${entry}] } }\n${rules}\n`;
}

/** How many remarks a run has a model read, and what it says. */
async function run(pull: PullRef, config: string): Promise<{ readonly read: number; readonly out: string }> {
  const before = provider.asked().length;
  const { out, err } = await world.drover(["run", "--pull", String(pull.number), "--config", "c.yml"], {
    env: { ANTHROPIC_API_KEY: "key" },
    files: { "c.yml": config },
  });
  const asked = provider.asked().slice(before);
  return { read: asked.filter(({ body }) => body.includes("Say what it is:")).length, out: out + err };
}

async function says(pull: PullRef, who: "rita" | "mia" | "otto", ...words: readonly string[]): Promise<void> {
  const { sandbox, people } = world.forge;
  const person = sandbox.as(who === "otto" ? otto : people[who]);
  for (const text of words) await person.comment(pull, text);
}

it("a remark that was read in one run is not read, and paid for, again in the next", async () => {
  const pull = await world.openPull(goodChange);
  await says(pull, "rita", `@drover ${asideWords}.`);
  expect((await run(pull, configOf())).read).toBe(1);
  expect((await run(pull, configOf())).read).toBe(0);
});

it("what an outsider has used up stays used up in the next run", async () => {
  const config = configOf(", conversation: { answers: everyone, outsiderAnswersMax: 2 }");
  const pull = await world.openPull(goodChange);
  await says(pull, "otto", `@drover ${asideWords} 1.`, `@drover ${asideWords} 2.`, `@drover ${asideWords} 3.`);
  expect((await run(pull, config)).read).toBe(2);
  expect((await run(pull, config)).read).toBe(0);
});

it("many waiting remarks keep neither the review nor the question of somebody else from being dealt with", async () => {
  const pull = await world.openPull(goodChange);
  await says(pull, "rita", ...Array.from({ length: 44 }, (_, index) => `@drover ${asideWords} ${index}.`));
  await says(pull, "mia", "@drover what is it for?");
  const first = await run(pull, configOf());
  expect(first.read).toBe(40);
  expect(first.out).toContain("left to the next run");
  const { reviews, comments } = world.forge.sandbox.look(pull);
  expect(reviews).toHaveLength(1);
  expect(comments.filter(({ body }) => body.includes(talkWords))).toHaveLength(1);
  const second = await run(pull, configOf());
  expect(second.read).toBe(5);
  expect((await run(pull, configOf())).read).toBe(0);
}, 240_000);
