import * as fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { delivery, get, headOf, openedBody, type ServerWorld, startServer } from "./server-world.ts";

/** The test of every test here: somebody else is served as if nothing had happened. */
async function expectServing(world: ServerWorld): Promise<void> {
  const before = world.accepted.length;
  expect(await world.ask(delivery(99))).toMatchObject({ status: 202 });
  expect(world.accepted.slice(before).map(({ pull }) => pull.number)).toEqual([99]);
}

/** The other end of a connection learns of things in its own time. */
const patience = { timeout: 30_000 };

function chunk(piece: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from("\r\n")]);
}

const chunked = { "content-length": undefined, "transfer-encoding": "chunked" };

describe("a body", () => {
  it("may come in pieces of any size", async () => {
    const world = await startServer();
    const body = openedBody(3, 100_000);
    const client = await world.connect();
    client.send(headOf({ body }));
    for (let at = 0; at < body.length; at += 30_000) {
      client.send(body.subarray(at, at + 30_000));
      await world.ask(get("/healthz"));
    }
    expect(await client.answers(1)).toMatchObject([{ status: 202 }]);
  });

  it("may come in chunks, of one byte too", async () => {
    const world = await startServer();
    const body = openedBody(3);
    const pieces = Array.from(body, (byte) => chunk(Uint8Array.of(byte)));
    const answer = await world.ask(headOf({ body, headers: chunked }), ...pieces, "0\r\n\r\n");
    expect(answer).toMatchObject({ status: 202 });
  });

  it("that is longer than it said is one delivery, and garbage behind it", async () => {
    const world = await startServer();
    const body = openedBody(3);
    const client = await world.connect();
    client.send(headOf({ body }), body, "and what else there is to say\r\n\r\n");
    const answers = await client.ended();
    expect(answers.filter(({ status }) => status !== 202 && status !== 400)).toEqual([]);
    expect(world.accepted.length).toBeLessThan(2);
    await expectServing(world);
  });

  it("that is shorter than it said is no delivery", async () => {
    const world = await startServer();
    const body = openedBody(3);
    const client = await world.connect();
    client.send(headOf({ body }), body.subarray(0, -1));
    client.hangUp();
    await client.ended();
    expect(world.accepted).toEqual([]);
    await expectServing(world);
  });

  it("that is given up in the middle is no delivery, and takes no memory any more", async () => {
    const world = await startServer();
    const body = openedBody(3, 100_000);
    for (let time = 0; time < 5; time++) {
      const client = await world.connect();
      client.send(headOf({ body }), body.subarray(0, 90_000));
      await world.ask(get("/healthz"));
      client.destroy();
    }
    await vi.waitFor(async () => expect(await world.metric("drover_webhook_body_bytes")).toBe(0), patience);
    expect(world.accepted).toEqual([]);
    await expectServing(world);
  });

  it("that is announced as too large is refused before it comes", async () => {
    const world = await startServer();
    const body = openedBody(3);
    const client = await world.connect();
    client.send(headOf({ body, headers: { "content-length": "25000001" } }));
    expect(await client.ended()).toMatchObject([{ status: 413 }]);
    await expectServing(world);
  });

  it("that turns out to be too large is refused", async () => {
    const world = await startServer({ limits: { bodyBytesMax: 100_000 } });
    const body = openedBody(3, 200_000);
    const client = await world.connect();
    client.send(headOf({ body, headers: chunked }), chunk(body.subarray(0, 99_000)), chunk(body.subarray(99_000)));
    expect(await client.answers(1)).toMatchObject([{ status: 413 }]);
    await client.ended();
    expect(world.accepted).toEqual([]);
    await expectServing(world);
  });

  it("of the size that is just allowed is taken", async () => {
    const limits = { bodyBytesMax: openedBody(3, 5000).length };
    const world = await startServer({ limits });
    const body = openedBody(3, 5000);
    expect(await world.ask(headOf({ body }), body)).toMatchObject({ status: 202 });
  });
});

describe("requests", () => {
  it("that come before the last one was answered are all answered, in their order", async () => {
    const world = await startServer();
    const client = await world.connect();
    const body = openedBody(5);
    client.send(delivery(3), get("/nothing"), headOf({ body, secret: "a guess" }), body, delivery(4), get("/healthz"));
    const answers = await client.answers(5);
    expect(answers.map(({ status }) => status)).toEqual([202, 404, 401, 202, 200]);
    expect(world.accepted.map(({ pull }) => pull.number)).toEqual([3, 4]);
  });

  it.each([
    ["no host", "GET /healthz HTTP/1.1\r\n\r\n", 400],
    [
      "two lengths",
      "POST /webhooks/github HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}",
      400,
    ],
    [
      "a length and chunks",
      "POST /webhooks/github HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n{}",
      400,
    ],
    ["a length that is none", "POST /webhooks/github HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", 400],
    ["another protocol", "SSH-2.0-OpenSSH_9.2\r\n", 400],
  ])("with %s are turned away", async (_what, request, status) => {
    const world = await startServer();
    const client = await world.connect();
    client.send(request);
    expect(await client.ended()).toMatchObject([{ status }]);
    await expectServing(world);
  });

  it.each([
    ["ten thousand headers", `GET /healthz HTTP/1.1\r\nHost: drover\r\n${"x: y\r\n".repeat(10_000)}\r\n`, 431],
    ["one endless header", `GET /healthz HTTP/1.1\r\nHost: drover\r\nx: ${"y".repeat(20_000)}\r\n\r\n`, 431],
    ["an endless path", `GET /${"x".repeat(20_000)} HTTP/1.1\r\nHost: drover\r\n\r\n`, 431],
  ])("with %s are not read to their end", async (_what, request, status) => {
    const world = await startServer();
    const client = await world.connect();
    client.send(request);
    // The answer may be lost: whoever is still sending when the connection is cut does not always hear it.
    const answers = await client.ended();
    expect(answers.filter((answer) => answer.status !== status)).toEqual([]);
    await expectServing(world);
  });

  it("with more headers than we look at are answered all the same", async () => {
    const world = await startServer();
    const body = openedBody(3);
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`x-${index}`, "y"]));
    const { status } = await world.ask(headOf({ body, headers: many }), body);
    // Node 20 passes over those that are too many, Node 24 refuses them by itself.
    expect([202, 431]).toContain(status);
    await expectServing(world);
  });

  it("that want another protocol get an ordinary answer", async () => {
    const world = await startServer();
    const upgrade = "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";
    expect(await world.ask(upgrade)).toMatchObject({ status: 200 });
    const tunnel = await world.connect();
    tunnel.send("CONNECT drover:443 HTTP/1.1\r\nHost: a\r\n\r\n");
    await tunnel.ended();
    await expectServing(world);
  });

  it("of arbitrary bytes do no harm", async () => {
    const world = await startServer();
    const signed = delivery(3);
    const anyBytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.tuple(fc.nat({ max: signed.length - 1 }), fc.uint8Array({ minLength: 1, maxLength: 4 })).map(([at, put]) => {
        const changed = Buffer.from(signed);
        changed.set(put.subarray(0, changed.length - at), at);
        return changed;
      }),
    );
    await fc.assert(
      fc.asyncProperty(anyBytes, async (bytes) => {
        const client = await world.connect();
        client.send(bytes);
        client.hangUp();
        await client.ended();
      }),
      { numRuns: 150 },
    );
    // Whatever was changed outside of what is signed, it can only ever speak of the pull that was signed.
    expect(world.accepted.filter(({ pull }) => pull.number !== 3)).toEqual([]);
    expect(world.lines.filter(({ level }) => level === "error")).toEqual([]);
    await expectServing(world);
  });
});
