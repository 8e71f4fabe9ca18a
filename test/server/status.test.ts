import { describe, expect, it } from "vitest";
import type { Readiness } from "#server/status-routes.ts";
import { delivery, get, headOf, openedBody, startServer } from "./server-world.ts";

describe("/readyz", () => {
  it("says what is missing until nothing is", async () => {
    let readiness: Readiness = { kind: "not_ready", why: "migrating" };
    const world = await startServer({ isReady: () => readiness });
    expect(await world.ask(get("/readyz"))).toMatchObject({ status: 503, body: "migrating\n" });
    expect(await world.ask(get("/healthz"))).toMatchObject({ status: 200 });
    readiness = { kind: "ready" };
    expect(await world.ask(get("/readyz?verbose"))).toMatchObject({ status: 200, body: "ready\n" });
  });

  it("belongs to what requests are answered from by now, and what was counted before stays counted", async () => {
    const parts = {
      intake: { accept: async () => "busy" as const },
      sources: () => [],
      webhookManners: ["github"],
      metrics: async () => [],
    };
    const world = await startServer({ ...parts, isReady: () => ({ kind: "not_ready", why: "starting" }) });
    const client = await world.connect();
    client.send(get("/readyz"), delivery(3));
    const before = await client.answers(2);
    world.server.replace({ ...parts, isReady: () => ({ kind: "ready" }) });
    client.send(get("/readyz"));
    const after = await client.answers(3);
    expect(before.map(({ status }) => status)).toEqual([503, 404]);
    expect(after.at(-1)).toMatchObject({ status: 200, body: "ready\n" });
    const counter = 'drover_webhooks_total{manner="github",outcome="refused",why="unknown_source"}';
    expect((await world.ask(get("/metrics"))).body).toContain(counter);
    client.destroy();
  });

  it("answers a HEAD without a body", async () => {
    const world = await startServer();
    const client = await world.connect();
    client.send("HEAD /healthz HTTP/1.1\r\nHost: drover\r\nConnection: close\r\n\r\n");
    await client.ended();
    expect(client.received()).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(client.received()).toMatch(/\r\n\r\n$/);
  });
});

describe("/metrics", () => {
  it("counts what became of the deliveries, and shows what others have to say", async () => {
    const queued = {
      name: "drover_queue_waiting",
      help: "Entries.",
      type: "gauge",
      samples: [{ labels: { queue: "tick" }, value: 7 }],
    } as const;
    const world = await startServer({ metrics: async () => [queued] });
    await world.ask(delivery(3));
    await world.ask(delivery(4));
    const answer = await world.ask(get("/metrics"));
    expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(await world.metric('drover_webhooks_total{manner="github",outcome="taken"}')).toBe(2);
    expect(await world.metric("drover_webhook_seconds_count")).toBe(2);
    expect(await world.metric('drover_queue_waiting{queue="tick"}')).toBe(7);
    expect(await world.metric("drover_metrics_complete")).toBe(1);
  });

  it("asks the others once, however many want to know while they do not answer", async () => {
    let asked = 0;
    const metrics = async (): Promise<never> => {
      asked++;
      return await new Promise<never>(() => undefined);
    };
    const world = await startServer({ metrics, limits: { metricsMsMax: 20 } });
    const complete = await Promise.all(Array.from({ length: 20 }, () => world.metric("drover_metrics_complete")));
    expect(new Set(complete)).toEqual(new Set([0]));
    expect(await world.metric("drover_metrics_complete")).toBe(0);
    expect(asked).toBe(1);
  });

  it("counts who finds the house full, and says so in one line", async () => {
    const world = await startServer({ limits: { connectionsMax: 2 } });
    const idle = await world.connect();
    const watching = await world.connect();
    for (let count = 0; count < 3; count++) await (await world.connect()).ended();
    watching.send(get("/metrics"));
    const [answer] = await watching.answers(1);
    expect(answer?.body).toContain("drover_connections_dropped_total 3\n");
    expect(world.lines.filter(({ message }) => message.startsWith("a connection was turned away"))).toHaveLength(1);
    for (const client of [idle, watching]) client.destroy();
  });

  it("is told to nobody who comes by a name that is not ours, as a page of a stranger makes a browser do", async () => {
    const world = await startServer({ hosts: () => ["drover.example"] });
    const by = async (host: string, path = "/metrics") =>
      (await world.ask(get(path).replace("Host: drover", `Host: ${host}`))).status;
    expect(await by("evil.example:4170")).toBe(421);
    expect(await by("evil.example", "/healthz")).toBe(200);
    expect(await by("drover.example")).toBe(200);
    const [head, body] = [headOf({ body: openedBody(3), headers: { host: "hooks.example" } }), openedBody(3)];
    expect((await world.ask(head, body)).status).toBe(202);
  });

  it("shows the server's own when somebody else fails", async () => {
    const world = await startServer({ metrics: () => Promise.reject(new Error("no database")) });
    expect(await world.metric("drover_metrics_complete")).toBe(0);
    expect(await world.metric("drover_webhooks_waiting")).toBe(0);
  });
});
