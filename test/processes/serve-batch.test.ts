import { createHmac } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type BatchProvider, createBatchProvider, providerKey } from "#batch-providers/batch-provider.ts";
import { type ServedProvider, serveProvider } from "#batch-providers/serve-provider.ts";
import { hourMs } from "#core/model/instant.ts";
import { openServeWorld, type ServeWorld } from "./serve-world.ts";
import { until } from "./until.ts";

const timeout = 240_000;
const secret = Buffer.from("a secret of enough bytes");
const words = "Whoever looks on with their tools open is stopped here.";
const finding = { id: 1, rule: "stops", path: "", line: 2, code: "  debugger;", message: words, score: 8, fix: null };

let world: ServeWorld;
let provider: BatchProvider;
let served: ServedProvider;
/** The provider's clock is ahead by so much. */
let aheadMs = 0;
beforeEach(async () => {
  aheadMs = 0;
  provider = createBatchProvider({ manner: "openai", now: () => Date.now() + aheadMs, takesMs: hourMs, say });
  [world, served] = await Promise.all([openServeWorld(), serveProvider(provider)]);
});
afterEach(async () => {
  await world.close();
  await served.close();
});

function say(prompt: string): string {
  const isSecondLook = prompt.includes('"role":"assistant"');
  const verdicts = [{ id: 1, holds: "yes", score: 8, why: "Nothing takes it out." }];
  return JSON.stringify({
    summary: "A page.",
    findings: isSecondLook ? [] : [finding],
    verdicts: isSecondLook ? verdicts : [],
  });
}

async function configure(): Promise<void> {
  const chain = [{ provider: "openai", model: "gpt-5-mini", baseUrl: served.url }];
  await world.side.configure({
    rules: { reviews: { roles: [{ name: "general", reviewer: "model", delivery: "batch" }] } },
    models: { main: { chain } },
    batchWebhooks: { openai: [{ env: "OPENAI_WEBHOOK_SECRET" }] },
  });
}

const env = { OPENAI_API_KEY: providerKey, OPENAI_WEBHOOK_SECRET: `whsec_${secret.toString("base64")}` };

/** The provider says that the batch has ended. */
async function tell(batch: string): Promise<number> {
  const time = String(Math.floor(Date.now() / 1000));
  const body = JSON.stringify({ type: "batch.completed", data: { id: batch } });
  const signature = createHmac("sha256", secret).update(`msg_1.${time}.${body}`).digest("base64");
  const headers = {
    "content-type": "application/json",
    "webhook-id": "msg_1",
    "webhook-timestamp": time,
    "webhook-signature": `v1,${signature}`,
  };
  const answer = await fetch(`http://127.0.0.1:${world.side.port}/webhooks/openai`, { method: "POST", headers, body });
  await answer.text();
  return answer.status;
}

/** Again and again: the server writes down which job waits a moment after the batch is there. */
async function tellUntilTaken(number: number, output: () => string): Promise<void> {
  await until(() => provider.room.batches.length === number, output);
  const batch = provider.room.batches[number - 1]?.id ?? "";
  await until(async () => (await tell(batch)) === 202, output);
}

function reviews(): number {
  const { sandbox, people } = world.side.forge;
  return sandbox.history.filter(({ by, what }) => by.id === people.drover.id && what.kind === "reviewed").length;
}

describe("a server that has roles reviewed by batch", () => {
  it("goes on with a batch after it was killed, and publishes once", { timeout }, async () => {
    await configure();
    const first = await world.ready({ env });
    await world.openPull();
    await tellUntilTaken(1, first.output);
    first.signal("SIGKILL");
    await first.ended(timeout);
    aheadMs = hourMs;
    const second = await world.ready({ env });
    await tellUntilTaken(1, second.output);
    await tellUntilTaken(2, second.output);
    second.signal("SIGKILL");
    await second.ended(timeout);
    aheadMs = 2 * hourMs;
    const third = await world.ready({ env });
    await until(async () => {
      await tell(provider.room.batches[1]?.id ?? "");
      return reviews() === 1;
    }, third.output);
    expect(await world.rest()).toBe("");
    expect(provider.room.batches.map(({ cancelledAt }) => cancelledAt)).toEqual([null, null]);
    expect(reviews()).toBe(1);
    expect(provider.liveCalls).toEqual([]);
    expect(JSON.stringify(world.side.forge.sandbox.history)).toContain(words);
    for (const node of [first, second, third]) expect(node.output()).not.toContain(providerKey);
  });
});
