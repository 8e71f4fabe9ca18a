import { describe, expect, it, vi } from "vitest";
import { delivery, get, headOf, openedBody, startServer } from "./server-world.ts";

/** Short enough for a test; what is tested is that it ends, not when. */
const hasty = { headersMsMax: 150, requestMsMax: 300, idleMsMax: 150, lookMs: 50 };

/** On a busy machine such haste hits those as well who have done nothing, and the other end learns of things late. */
const patience = { timeout: 30_000 };

describe("a sender", () => {
  it.each([
    ["says nothing", ""],
    ["says half a line", "POST /webh"],
    ["never comes to the end of its headers", "POST /webhooks/github HTTP/1.1\r\nHost: drover\r\nx: "],
  ])("who %s is cut off", async (_what, words) => {
    const world = await startServer({ limits: hasty });
    const client = await world.connect();
    client.send(words);
    const answers = await client.ended();
    expect(answers.map(({ status }) => status)).toEqual([408]);
  });

  it("who stops in the middle of a body is cut off, and nothing is taken", async () => {
    const world = await startServer({ limits: hasty });
    const body = openedBody(3);
    const client = await world.connect();
    client.send(headOf({ body }), body.subarray(0, 20));
    await client.ended();
    expect(world.accepted).toEqual([]);
    const gone = 'drover_webhooks_total{manner="github",outcome="gone"}';
    await vi.waitFor(async () => expect(await world.metric(gone)).toBe(1), patience);
    await vi.waitFor(async () => expect(await world.metric("drover_webhooks_waiting")).toBe(0), patience);
  });

  it("who sends a body drop by drop is cut off all the same", async () => {
    const world = await startServer({ limits: hasty });
    const body = openedBody(3, 10_000);
    const client = await world.connect();
    client.send(headOf({ body }));
    let at = 0;
    const drops = setInterval(() => client.send(body.subarray(at, ++at)), 20);
    await client.ended();
    clearInterval(drops);
    expect(at).toBeLessThan(body.length);
    expect(world.accepted).toEqual([]);
  });

  it("who keeps a connection without using it is cut off", async () => {
    const world = await startServer({ limits: hasty });
    const client = await world.connect();
    client.send(get("/healthz"));
    const answers = await client.ended();
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  });
});

describe("a thousand connections", () => {
  it("that say nothing keep nobody else out", async () => {
    const world = await startServer();
    const idle = await Promise.all(Array.from({ length: 1000 }, () => world.connect()));
    expect(await world.ask(delivery(3))).toMatchObject({ status: 202 });
    for (const client of idle) client.destroy();
  });

  it("beyond the limit are not taken, and when some are gone there is room again", async () => {
    const world = await startServer({ limits: { connectionsMax: 20 } });
    const idle = await Promise.all(Array.from({ length: 20 }, () => world.connect()));
    await expect(world.ask(delivery(3))).rejects.toThrow("without an answer");
    for (const client of idle) client.hangUp();
    await vi.waitFor(async () => expect(await world.ask(delivery(3))).toMatchObject({ status: 202 }), patience);
  });
});

describe("the memory for bodies", () => {
  const limits = { bodiesBytesMax: 2_000_000 };

  it("is never exceeded, and those who send the most pay for it", async () => {
    const world = await startServer({ limits });
    const large = openedBody(3, 900_000);
    const greedy = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const client = await world.connect();
        client.send(headOf({ body: large }), large.subarray(0, -1));
        return client;
      }),
    );
    const turnedAway = greedy.map((client) => client.ended());
    const [first] = await Promise.race(turnedAway);
    expect(first).toMatchObject({ status: 503, body: '{"busy":"memory"}\n' });
    for (let number = 10; number < 30; number++) {
      expect(await world.ask(delivery(number))).toMatchObject({ status: 202 });
    }
    expect(await world.metric("drover_webhook_body_bytes")).toBeLessThanOrEqual(2_000_000);
  });
});
