import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createOpenaiWebhook } from "#models/openai-webhook.ts";
import type { BatchWebhookHandlers } from "#server/batch-webhook-route.ts";
import type { ServerLimits } from "#server/server-limits.ts";
import { get, headOf, type ServerWorld, startServer } from "./server-world.ts";

const key = Buffer.from("a secret of enough bytes");
const ended = Buffer.from(JSON.stringify({ type: "batch.completed", data: { id: "batch_1" } }));

interface World {
  readonly server: ServerWorld;
  readonly asked: readonly string[];
}

async function open(over: Partial<BatchWebhookHandlers> = {}, limits: Partial<ServerLimits> = {}): Promise<World> {
  const asked: string[] = [];
  const hook = createOpenaiWebhook([`whsec_${key.toString("base64")}`]);
  const batches: BatchWebhookHandlers = {
    openai: () => hook,
    bringForward: async (batch) => {
      asked.push(batch);
      return batch === "batch_1" ? "brought_forward" : "unknown";
    },
    ...over,
  };
  return { server: await startServer({ batches, limits }), asked };
}

async function tell({ server }: World, body: Buffer, { with: secret = key } = {}): Promise<readonly [number, unknown]> {
  const time = String(Math.floor(Date.now() / 1000));
  const signature = createHmac("sha256", secret).update(`msg_1.${time}.`).update(body).digest("base64");
  const headers = { "webhook-id": "msg_1", "webhook-timestamp": time, "webhook-signature": `v1,${signature}` };
  const answer = await server.ask(headOf({ body, path: "/webhooks/openai", headers }), body);
  return [answer.status, JSON.parse(answer.body)];
}

describe("a provider's word about a batch", () => {
  it("is passed on when it is signed", async () => {
    const world = await open();
    expect(await tell(world, ended)).toEqual([202, { taken: true }]);
    expect(world.asked).toEqual(["batch_1"]);
  });

  it("is refused when it is not, and nobody is asked", async () => {
    const world = await open();
    const [status, said] = await tell(world, ended, { with: Buffer.from("another secret, of a stranger") });
    expect([status, said]).toMatchObject([401, { refused: "bad_signature" }]);
    expect(world.asked).toEqual([]);
    expect(world.server.lines).toMatchObject([{ level: "warn", facts: { why: "bad_signature" } }]);
  });

  it("is ignored when nobody waits for that batch", async () => {
    const world = await open();
    const body = Buffer.from(JSON.stringify({ type: "batch.failed", data: { id: "batch_2" } }));
    expect(await tell(world, body)).toEqual([200, { ignored: "unknown_batch" }]);
  });

  it("is to come again when nobody is there yet", async () => {
    const world = await open({ bringForward: async () => "busy" });
    expect(await tell(world, ended)).toMatchObject([503, { busy: "starting" }]);
  });

  it("is to come again when the database takes too long for it", async () => {
    const world = await open({ bringForward: () => new Promise<never>(() => undefined) }, { answerMsMax: 20 });
    expect(await tell(world, ended)).toMatchObject([503, { busy: "database" }]);
  });

  it("fills no log when strangers make it up time and again", async () => {
    const world = await open();
    for (let count = 0; count < 70; count++)
      await tell(world, ended, { with: Buffer.from("another secret, of a stranger") });
    expect(world.server.lines.length).toBeLessThan(70);
  });

  it("finds nobody where no secret is configured", async () => {
    const world = await open({ openai: () => null });
    expect(await tell(world, ended)).toMatchObject([404, { refused: "unknown_source" }]);
  });

  it("is refused if it is larger than such words are", async () => {
    const world = await open();
    expect(await tell(world, Buffer.alloc(100_000, "x"))).toMatchObject([413, { refused: "too_large" }]);
  });

  it("comes by no other method", async () => {
    const { server } = await open();
    expect((await server.ask(get("/webhooks/openai"))).status).toBe(405);
  });
});
