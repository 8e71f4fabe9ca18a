import { EventEmitter, once } from "node:events";
import { describe, expect, it } from "vitest";
import type { Intake } from "#ports/intake.ts";
import { at } from "#testing/makers.ts";
import { createVirtualClock } from "#testing/virtual-clock.ts";
import { connectTo } from "./raw-client.ts";
import { delivery, get, headOf, openedBody, startServer } from "./server-world.ts";

interface Patient {
  readonly intake: Intake;
  /** Resolves when somebody waits. */
  readonly arrived: Promise<unknown>;
  readonly countCalls: () => number;
  readonly accept: () => void;
}

/** Accepts when it is told to. */
function patientIntake(): Patient {
  const waiting: (() => void)[] = [];
  const doorbell = new EventEmitter();
  const arrived = once(doorbell, "arrived");
  const intake: Intake = {
    accept: () =>
      new Promise((resolve) => {
        waiting.push(() => resolve("accepted"));
        doorbell.emit("arrived");
      }),
  };
  return { intake, arrived, countCalls: () => waiting.length, accept: () => waiting.forEach((answer) => answer()) };
}

describe("a server that is told to stop", () => {
  it("lets what is under way get its answer, and takes no new connection", async () => {
    const { intake, arrived, accept } = patientIntake();
    const world = await startServer({ intake });
    const waiting = await world.connect();
    waiting.send(delivery(3));
    await arrived;
    const closing = world.server.close({ deadlineMs: 60_000 });
    await expect(connectTo(world.port)).rejects.toThrow("ECONNREFUSED");
    accept();
    const [answer] = await waiting.ended();
    expect(answer).toMatchObject({ status: 202 });
    expect(answer?.headers.get("connection")).toBe("close");
    await closing;
  });

  it("tells whoever was about to ask to come back", async () => {
    const { intake, arrived, accept, countCalls } = patientIntake();
    const world = await startServer({ intake });
    const [waiting, speaking, asking] = [await world.connect(), await world.connect(), await world.connect()];
    waiting.send(delivery(3));
    speaking.send(delivery(4).subarray(0, 10));
    asking.send("GET /rea");
    await arrived;
    await world.ask(get("/healthz"));
    const closing = world.server.close({ deadlineMs: 60_000 });
    speaking.send(delivery(4).subarray(10));
    asking.send("dyz HTTP/1.1\r\nHost: drover\r\n\r\n");
    expect(await speaking.ended()).toMatchObject([{ status: 503, body: '{"busy":"stopping"}\n' }]);
    expect(await asking.ended()).toMatchObject([{ status: 503, body: "stopping\n" }]);
    expect(countCalls()).toBe(1);
    accept();
    expect(await waiting.ended()).toMatchObject([{ status: 202 }]);
    await closing;
  });

  it("takes nothing more that comes behind the last answer on a connection", async () => {
    const { intake, arrived, accept, countCalls } = patientIntake();
    const world = await startServer({ intake });
    const client = await world.connect();
    client.send(delivery(3));
    await arrived;
    const closing = world.server.close({ deadlineMs: 60_000 });
    client.send(delivery(4), delivery(5));
    accept();
    expect((await client.ended())[0]).toMatchObject({ status: 202 });
    await closing;
    expect(countCalls()).toBe(1);
  });

  it("does not wait for those who say nothing", async () => {
    const world = await startServer();
    const silent = await world.connect();
    const halfway = await world.connect();
    halfway.send("POST /web");
    await world.ask(get("/healthz"));
    await world.server.close({ deadlineMs: 60_000 });
    expect(await silent.ended()).toEqual([]);
    expect(await halfway.ended()).toEqual([]);
  });

  it("does not wait for those who have hung up with several requests under way", async () => {
    const { intake, arrived, accept } = patientIntake();
    // On this clock no deadline ever comes.
    const world = await startServer({ intake, clock: createVirtualClock(at(0)) });
    const client = await world.connect();
    client.send(delivery(3), get("/healthz"), delivery(4), get("/metrics"));
    await arrived;
    client.destroy();
    await client.ended();
    await world.server.close({ deadlineMs: 10 });
    accept();
    expect(client.received()).toBe("");
  });

  it("waits until its deadline for those who do not come to an end, and can be told twice", async () => {
    const world = await startServer();
    const body = openedBody(3);
    const halfway = await world.connect();
    halfway.send(headOf({ body }), body.subarray(0, 10));
    await world.ask(get("/healthz"));
    await world.server.close({ deadlineMs: 20 });
    await world.server.close({ deadlineMs: 20 });
    expect(await halfway.ended()).toEqual([]);
    expect(world.accepted).toEqual([]);
  });
});

describe("a server that cannot listen", () => {
  it("reports why and rejects", async () => {
    const world = await startServer();
    await expect(startServer({ port: world.port })).rejects.toThrow("EADDRINUSE");
  });
});
