import { once } from "node:events";
import { createConnection, type Socket } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Metric } from "#server/metric.ts";
import { delivery, get, type ServerWorld, startServer } from "./server-world.ts";

/** The system keeps some megabytes of what nobody reads; the answers here are more than that. */
const answerBytes = 1_000_000;
const longMetrics = async (): Promise<readonly Metric[]> => [
  { name: "drover_long", help: "x".repeat(answerBytes), type: "gauge", samples: [] },
];

const patience = { timeout: 30_000 };

/** Sends and never reads. */
function sendDeaf({ port }: ServerWorld, text: string): Socket {
  const socket = createConnection({ host: "127.0.0.1", port });
  socket.on("error", () => undefined);
  socket.pause();
  socket.write(text);
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** Once one was ended; whoever comes then is served as if nothing had happened. */
async function statusAfterEnd(world: ServerWorld): Promise<number> {
  await vi.waitFor(async () => expect(await world.metric("drover_connections_ended_total")).toBe(1), patience);
  return (await world.ask(delivery(3))).status;
}

describe("a connection", () => {
  it("with more requests under way than may be is ended, which is told", async () => {
    const world = await startServer({ limits: { requestsPerConnectionMax: 4 } });
    const client = await world.connect();
    client.send(get("/metrics").repeat(100));
    expect((await client.ended()).length).toBeLessThan(5);
    expect(await statusAfterEnd(world)).toBe(202);
    expect(world.lines.filter(({ message }) => message.startsWith("a connection was ended"))).toHaveLength(1);
  });

  it("may ask any number of times, one after the other", async () => {
    const world = await startServer({ limits: { requestsPerConnectionMax: 2 } });
    const client = await world.connect();
    for (let count = 1; count <= 20; count++) {
      client.send(get("/healthz"));
      expect(await client.answers(count)).toHaveLength(count);
    }
    client.destroy();
  });

  it("that leaves the most unread is ended when all of them leave too much", async () => {
    const world = await startServer({
      metrics: longMetrics,
      limits: { requestsBytesMax: 20 * answerBytes, requestsPerConnectionMax: 40 },
    });
    sendDeaf(world, get("/metrics").repeat(8));
    await world.ask(get("/healthz"));
    sendDeaf(world, get("/metrics").repeat(39));
    expect(await statusAfterEnd(world)).toBe(202);
  });

  it("that leaves an answer unread for too long is ended, and leaves its place to others", async () => {
    const world = await startServer({ metrics: longMetrics, limits: { stillMsMax: 300, connectionsMax: 1 } });
    const deaf = sendDeaf(world, get("/metrics").repeat(15));
    await once(deaf, "connect");
    // Whoever comes while the place is taken is turned away.
    await vi.waitFor(async () => expect((await world.ask(delivery(3))).status).toBe(202), patience);
    expect(world.accepted).toHaveLength(1);
  });
});
