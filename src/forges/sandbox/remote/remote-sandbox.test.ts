import { once } from "node:events";
import { createServer } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { CommentId, RepositoryId } from "#core/model/ids.ts";
import { createRemoteSandbox } from "#forges/sandbox/remote/remote-sandbox.ts";
import { ada, at } from "#testing/makers.ts";
import { stillClock } from "#testing/still-clock.ts";

const clock = stillClock(at(0));
const pull = { repository: { id: RepositoryId.parse("7"), name: "acme/tools" }, number: 3 };
const comment = CommentId.parse("12");

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** Whatever connects there gets these bytes for an answer, or is cut off, or waits. */
async function serverThat(behaviour: string): Promise<string> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => {
      if (behaviour === "cuts off") socket.destroy();
      else if (behaviour !== "is silent") socket.end(behaviour);
    });
    stops.push(async () => void socket.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  stops.push(async () => void server.close());
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a server on the loopback has no port");
  return `http://127.0.0.1:${address.port}`;
}

function answering(status: string, body: string): string {
  return `HTTP/1.1 ${status}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** Whoever gets an answer waits for it, however slow the machine. */
const answerMsMax = 30_000;
/** Where none comes, no more is gained by waiting longer. */
const silenceMsMax = 150;

function clientAt(url: string, callMsMax = answerMsMax) {
  return createRemoteSandbox({ url, token: "t", clock, callMsMax });
}

function msMaxFor(behaviour: string): number {
  return behaviour === "is silent" ? silenceMsMax : answerMsMax;
}

const write = {
  name: "a write",
  call: (url: string, msMax?: number) => clientAt(url, msMax).createComment({ pull, body: "Hello." }),
};
const read = { name: "a read", call: (url: string, msMax?: number) => clientAt(url, msMax).fetchPull(pull) };

const told = (answer: unknown): string => answering("200 OK", JSON.stringify({ kind: "answer", answer, budget: null }));

const troubles = [
  ["a connection that breaks", "cuts off", "unavailable"],
  ["a server that never answers", "is silent", "unavailable"],
  ["an answer that breaks off", "HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{", "unavailable"],
  ["a server error", answering("500 Oh", "no"), "unavailable"],
  ["an answer that is no JSON", answering("200 OK", "<html>"), "malformed"],
  ["JSON of somebody else", answering("200 OK", '{"ok":true}'), "malformed"],
  ["an answer to another question", told({ shoe: "size" }), "malformed"],
] as const;

describe("what went wrong on the way to a sandbox", () => {
  it.each(troubles)("%s leaves open whether a write has happened", async (_, behaviour, kind) => {
    const url = await serverThat(behaviour);
    const called = write.call(url, msMaxFor(behaviour));
    await expect(called).rejects.toMatchObject({ name: "ForgeError", kind, isApplied: "unknown" });
  });

  it.each(troubles)("%s is no effect of a read", async (_, behaviour, kind) => {
    const url = await serverThat(behaviour);
    const called = read.call(url, msMaxFor(behaviour));
    await expect(called).rejects.toMatchObject({ name: "ForgeError", kind, isApplied: "no" });
  });

  it.each([write, read])("$name at which nobody listened has not happened", async ({ call }) => {
    const url = await serverThat("is silent");
    for (const stop of stops.splice(0)) await stop();
    await expect(call(url)).rejects.toMatchObject({ kind: "unavailable", isApplied: "no", retryAt: null });
  });

  it.each([
    ["401 Unauthorized", "unauthorized"],
    ["400 Bad Request", "refused"],
    ["404 Not Found", "refused"],
    ["413 Too Large", "refused"],
  ])("a call that was turned away with %s has not happened", async (status, kind) => {
    const url = await serverThat(answering(status, "because\n"));
    await expect(write.call(url)).rejects.toMatchObject({
      kind,
      isApplied: "no",
      message: expect.stringContaining("because"),
    });
  });
});

describe("what a sandbox says", () => {
  it("is an error with the time to wait on the clock of this machine", async () => {
    const error = { kind: "rate_limited", message: "slow down", isApplied: "no", retryAfterMs: 60_000 };
    const url = await serverThat(answering("200 OK", JSON.stringify({ kind: "error", error, budget: null })));
    await expect(write.call(url)).rejects.toMatchObject({
      name: "ForgeError",
      kind: "rate_limited",
      message: "slow down",
      isApplied: "no",
      retryAt: at(1),
    });
  });

  it("is the answer, and nothing for what answers nothing", async () => {
    expect(await clientAt(await serverThat(told("12"))).createComment({ pull, body: "x" })).toBe("12");
    const nothing = await serverThat(told(null));
    expect(await clientAt(nothing).editComment({ pull, comment, body: "x" })).toBeUndefined();
  });

  it("keeps the secret of a remote behind a function", async () => {
    const credential = { username: "drover", secret: "s3cret" };
    const url = await serverThat(told({ url: "https://forge.test/acme/tools", credential }));
    const remote = await clientAt(url).fetchRemote(pull.repository, "push");
    expect(remote.credential?.reveal()).toBe("s3cret");
    expect(JSON.stringify(remote)).not.toContain("s3cret");
  });

  it("comes with the calls that are left, which stay known until the next answer", async () => {
    const budget = { limit: 5000, left: 4999, resetAt: at(60) };
    const answer = JSON.stringify({ kind: "answer", answer: "read", budget });
    const client = clientAt(await serverThat(answering("200 OK", answer)));
    expect(client.findRateLimit()).toBeNull();
    expect(await client.fetchPermission({ repository: pull.repository, account: ada })).toBe("read");
    expect(client.findRateLimit()).toEqual(budget);
  });
});
