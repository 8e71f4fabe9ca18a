import { describe, expect, it } from "vitest";
import { isSuccess } from "#forges/forge-response.ts";
import { forgeError } from "#forges/github/github-error.ts";
import { createSend, type TransportRequest } from "#forges/github/github-transport.ts";
import { scriptedFetch } from "#testing/scripted-fetch.ts";
import { stillClock } from "#testing/still-clock.ts";

const clock = stillClock(1_000_000);
const headers = { authorization: "token s3cret" };
const read: TransportRequest = { method: "GET", path: "/user", params: {}, headers, timeoutMs: 1_000 };

/** Answers one request after the other, and remembers them. Nobody answers what comes after them. */
function scripted(answers: readonly Response[]) {
  const { fetch, heard } = scriptedFetch((_, index) => answers[index] ?? null);
  return { sent: heard, send: createSend({ baseUrl: "https://forge.test/api/v3", fetch, clock }) };
}

function redirect(status: number, location: string): Response {
  return new Response("", { status, headers: { location } });
}

describe("a request to GitHub", () => {
  it.each([
    ["GET", 301],
    ["GET", 302],
    ["GET", 307],
    ["POST", 301],
    ["POST", 307],
    ["PATCH", 308],
  ] as const)("%s follows a %i within the server, as it is", async (method, status) => {
    const { sent, send } = scripted([redirect(status, "/api/v3/repositories/7"), Response.json({ id: 1 })]);
    const answer = await send({ ...read, method, params: { body: "Hello." } });
    expect(answer).toMatchObject({ kind: "answered", status: 200 });
    expect(sent[1]).toMatchObject({ url: "https://forge.test/api/v3/repositories/7", method, body: sent[0]?.body });
    expect(sent[1]?.headers.get("authorization")).toBe("token s3cret");
  });

  it.each([
    "https://evil.test/api/v3/user",
    "http://forge.test/api/v3/user",
    "https://forge.test:8443/api/v3/user",
    "//evil.test/",
    "http://[broken",
  ])("that is sent on to %s goes nowhere, and is no success", async (location) => {
    const { sent, send } = scripted([redirect(301, location), Response.json({ id: 1 })]);
    const answer = await send(read);
    expect(sent).toHaveLength(1);
    expect(isSuccess(answer)).toBe(false);
    expect(forgeError({ what: "look", isWrite: true, answer })).toMatchObject({ kind: "refused", isApplied: "no" });
  });

  it("is not sent on for ever", async () => {
    const { sent, send } = scripted(Array.from({ length: 20 }, () => redirect(307, "/api/v3/user")));
    expect(isSuccess(await send(read))).toBe(false);
    expect(sent.length).toBeLessThan(10);
  });
});
