import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ModelProvider, modelWords, openModelProvider, talkWords } from "#harness/model-provider.ts";
import { askServer } from "./ask-server.ts";
import { openServeWorld, type ServeWorld } from "./serve-world.ts";
import { until } from "./until.ts";

const timeout = 240_000;
const key = "key-5f4dcc3b5aa765d61d83-not-for-anybody";

let world: ServeWorld;
let provider: ModelProvider;
beforeEach(async () => {
  [world, provider] = await Promise.all([openServeWorld(), openModelProvider()]);
});
afterEach(async () => {
  await world.close();
  await provider.close();
});

const roles = [{ name: "general", reviewer: "model" }];
const rules = { reviews: { roles } };

function models(more: object = {}): object {
  const entry = { provider: "anthropic", model: "claude-sonnet-4-5", baseUrl: `${provider.url}/v1`, ...more };
  return { main: { chain: [entry] } };
}

/** Everything that the bot has written on the forge. */
function written(): string {
  const { sandbox, people } = world.side.forge;
  return JSON.stringify(sandbox.history.filter(({ by }) => by.id === people.drover.id));
}

function outsideOfFences(body: string): string {
  return body.replaceAll(/<untrusted-([0-9a-f]{16}) [\s\S]*?<\/untrusted-\1>/g, "");
}

function countReviews(): number {
  const { sandbox, people } = world.side.forge;
  return sandbox.history.filter(({ by, what }) => by.id === people.drover.id && what.kind === "reviewed").length;
}

describe("a server with a model", () => {
  it("publishes what the model has found, with what it cost, and tells nobody its secrets", { timeout }, async () => {
    await world.side.configure({ rules, models: models() });
    const node = await world.ready({ env: { ANTHROPIC_API_KEY: key } });
    await world.openPull();
    await until(() => written().includes(modelWords), node.output);
    expect(await world.rest()).toBe("");
    expect(node.output()).toContain("without a cap on their cost");
    // The rules play no role here, so these words are the model's alone.
    expect(countReviews()).toBe(1);
    await until(() => /\$0\.\d/.test(written()), node.output);
    expect(provider.asked()).toHaveLength(3);
    const { DROVER_SANDBOX_TOKEN: token, DROVER_WEBHOOK_SECRET: secret } = world.side.env;
    for (const { body } of provider.asked()) {
      for (const hidden of [key, token, secret]) expect(body).not.toContain(hidden);
      expect(outsideOfFences(body)).not.toMatch(/@drover|export function/);
    }
    const metrics = await askServer(world.side.port, "/metrics");
    expect(metrics.body).toContain(
      'drover_model_calls_total{model="anthropic/claude-sonnet-4-5",purpose="review_find",outcome="answered"} 1',
    );
    expect(metrics.body).toMatch(/drover_model_cost_dollars_total\{[^}]*\} 0\.0\d+/);
    for (const text of [written(), metrics.body, node.output()]) expect(text).not.toContain(key);
  });

  it("answers questions with the model that is there for it, and has the rules review", { timeout }, async () => {
    const chat = { provider: "openai", model: "gpt-5-mini", baseUrl: `${provider.url}/v1` };
    const both = { ...models(), chat: { chain: [chat] } };
    await world.side.configure({ models: both, conversationModel: "chat" });
    const node = await world.ready({ env: { ANTHROPIC_API_KEY: key, OPENAI_API_KEY: "key-of-openai" } });
    const pull = await world.openPull();
    const { sandbox, people } = world.side.forge;
    await sandbox.as(people.rita).comment(pull, "@drover What does this do, @mia?");
    await until(() => written().includes(talkWords) && countReviews() === 1, node.output);
    expect(new Set(provider.asked().map(({ path }) => path))).toEqual(new Set(["/v1/responses"]));
    expect(written()).not.toContain(modelWords);
    // Who is called by name is told with another sign; nobody else is.
    for (const { body } of provider.asked()) expect(body).toMatch(/＠drover What does this do, ＠mia\?/);
    for (const { body } of provider.asked()) expect(body).not.toMatch(/@drover|@mia/);
  });

  it("is refused without the model's key, and without a model for a role that needs one", { timeout }, async () => {
    await world.side.configure({ rules, models: models() });
    const keyless = await world.serve();
    await keyless.waitFor(/^drover: .*\n/m, timeout);
    expect((await keyless.ended(timeout)).code).toBe(2);
    expect(keyless.output()).toContain('the model "main" (anthropic/claude-sonnet-4-5)');
    expect(keyless.output()).toContain("ANTHROPIC_API_KEY is not set");
    await world.side.configure({ rules });
    const modelless = await world.serve();
    await modelless.waitFor(/^drover: .*\n/m, timeout);
    expect((await modelless.ended(timeout)).code).toBe(2);
    expect(modelless.output()).toMatch(/the role "general" is to be played by a model[^]*models: \{ main:/);
  });

  it("asks other models after a reload, and says why a wrong key finds nothing", { timeout }, async () => {
    await world.side.configure({ rules, models: models() });
    const node = await world.ready({ env: { ANTHROPIC_API_KEY: key, OPENAI_API_KEY: "key-of-openai" } });
    await world.side.configure({ rules, models: models({ provider: "openai", model: "gpt-5-mini" }) });
    const before = node.output().length;
    node.signal("SIGHUP");
    await until(() => node.output().slice(before).includes("in force"), node.output);
    await world.openPull();
    await until(() => written().includes(modelWords), node.output);
    expect(new Set(provider.asked().map(({ path }) => path))).toEqual(new Set(["/v1/responses"]));
    provider.refuse(401);
    await world.openPull();
    await until(() => node.output().includes("OPENAI_API_KEY"), node.output);
    expect(node.output() + written()).not.toContain("key-of-openai");
  });
});
