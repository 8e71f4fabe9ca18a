import { describe, expect, it } from "vitest";
import { instant } from "#core/model/instant.ts";
import { createSend, type TransportRequest } from "#forges/gitea/gitea-transport.ts";
import { scriptedFetch } from "#testing/scripted-fetch.ts";
import { stillClock } from "#testing/still-clock.ts";

const clock = stillClock(1_000_000);
const read: TransportRequest = { method: "GET", path: "/api/v1/user", query: {}, body: undefined, timeoutMs: 1_000 };

/** Answers one request after the other, and remembers them. Nobody answers what comes after them. */
function scripted(answers: readonly Response[]) {
  const { fetch, heard } = scriptedFetch((_, index) => answers[index] ?? null);
  return { sent: heard, send: createSend({ url: "https://git.test/forge", token: "s3cret", fetch, clock }) };
}

function redirect(status: number, location: string): Response {
  return new Response("", { status, headers: { location } });
}

describe("a request to Gitea", () => {
  it("goes below the root of the server, with the token and what was asked", async () => {
    const { sent, send } = scripted([Response.json({ id: 1 })]);
    await send({ ...read, path: "/api/v1/repos/a%2Fb", query: { page: 2, state: "open" } });
    expect(sent[0]?.url).toBe("https://git.test/forge/api/v1/repos/a%2Fb?page=2&state=open");
    expect(sent[0]?.headers.get("authorization")).toBe("token s3cret");
    expect(sent[0]?.body).toBeNull();
  });

  it("says what kind of body it has, if it has one", async () => {
    const { sent, send } = scripted([Response.json({})]);
    await send({ ...read, method: "POST", body: { body: "Hello." } });
    expect(sent[0]).toMatchObject({ method: "POST", body: { body: "Hello." } });
    expect(sent[0]?.headers.get("content-type")).toBe("application/json");
  });

  it.each([
    ["GET", 301],
    ["GET", 302],
    ["GET", 307],
    ["POST", 301],
    ["POST", 307],
    ["PATCH", 301],
    ["DELETE", 308],
  ] as const)("%s follows a %i within the server", async (method, status) => {
    const { sent, send } = scripted([redirect(status, "/forge/api/v1/repos/new/name"), Response.json({ id: 1 })]);
    const answer = await send({ ...read, method });
    expect(answer).toMatchObject({ kind: "answered", status: 200 });
    expect(sent.map(({ url }) => url)).toEqual([
      "https://git.test/forge/api/v1/user",
      "https://git.test/forge/api/v1/repos/new/name",
    ]);
    expect(sent[1]?.method).toBe(method);
    expect(sent[1]?.body).toEqual(sent[0]?.body);
  });

  it.each([
    "https://evil.test/forge/api/v1/user",
    "http://git.test/forge/api/v1/user",
    "https://git.test:8443/forge/api/v1/user",
    "//evil.test/",
    "http://[broken",
    "/another/api/v1/user",
    "/forge-like/api/v1/user",
    "/forge/../another/api/v1/user",
    "/forge/%2e%2e/another/api/v1/user",
  ])("takes the token to no other server: %s", async (location) => {
    for (const status of [301, 302, 307, 308]) {
      const { sent, send } = scripted([redirect(status, location)]);
      expect(await send(read)).toMatchObject({ kind: "answered", status });
      expect(sent).toHaveLength(1);
    }
  });

  it("makes nothing else of a write that is led away", async () => {
    for (const status of [302, 303]) {
      const { sent, send } = scripted([redirect(status, "/forge/elsewhere")]);
      expect(await send({ ...read, method: "POST", body: {} })).toMatchObject({ status });
      expect(sent).toHaveLength(1);
    }
  });

  it("does not run in circles", async () => {
    const { sent, send } = scripted(Array.from({ length: 20 }, () => redirect(307, "/forge/api/v1/user")));
    expect(await send(read)).toMatchObject({ kind: "answered", status: 307 });
    expect(sent.length).toBeLessThan(6);
  });
});

describe("an answer of Gitea", () => {
  it("is read as what it is: JSON, text, or nothing", async () => {
    const { send } = scripted([Response.json([1]), new Response("<html>"), new Response(null, { status: 204 })]);
    const data = [await send(read), await send(read), await send(read)].map((answer) =>
      answer.kind === "answered" ? answer.data : answer,
    );
    expect(data).toEqual([[1], "<html>", null]);
  });

  it("tells the forge's time at which it was asked", async () => {
    const date = "Thu, 01 Jan 2026 10:00:07 GMT";
    const times = [1_000_000, 1_004_000];
    const slow = { now: () => instant(times.shift() ?? 0), sleep: async () => undefined };
    const fetch: typeof globalThis.fetch = async () => Response.json({}, { headers: { date } });
    const answer = await createSend({ url: "https://git.test", token: "t", fetch, clock: slow })(read);
    expect(answer).toMatchObject({ askedAt: Date.parse("2026-01-01T10:00:03Z"), heardAt: 1_004_000 });
  });

  it("that never came is silence, with its cause", async () => {
    const why = "git.test did not answer: the connection broke";
    const cause = new TypeError("fetch failed");
    expect(await scripted([]).send(read)).toEqual({ kind: "silence", cause, why, isUnreached: false });
  });
});
