import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SandboxFault } from "#forges/sandbox/sandbox.ts";
import { openStage, type Stage } from "./stage.ts";

const comments = "/repos/mia/tools/issues/1/comments";
const hello = { body: { body: "Hello." } };
/** What never comes fails the test by this limit, however slow the machine. */
const patience = { timeout: 30_000 };
/** In which a server that hangs up has done so. */
const hangUpMs = 100;

describe("a fault of the served Gitea", () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStage();
  });
  afterEach(() => stage.gitea.close());

  /** Meets the next call of this name alone. */
  function spoilNext(endpoint: string, fault: SandboxFault): void {
    let isDone = false;
    stage.spoil((call) => {
      if (isDone || call.endpoint !== endpoint) return null;
      isDone = true;
      return fault;
    });
  }

  const count = (): number => stage.sandbox.look(stage.pull).comments.length;

  it("loses the answer to a write that was done", async () => {
    spoilNext("create_comment", { kind: "lost_response" });
    await expect(stage.ask("POST", comments, hello)).rejects.toThrow("fetch failed");
    expect([count(), stage.gitea.requests.at(-1)?.status]).toEqual([1, null]);
  });

  it.each([
    [true, 500, 1],
    [false, 502, 0],
  ])("breaks the server, whether the write was applied (%s) or not", async (isApplied, status, left) => {
    spoilNext("create_comment", { kind: "server_error", isApplied });
    expect((await stage.ask("POST", comments, hello)).status).toBe(status);
    expect(count()).toBe(left);
  });

  it("in the middle of a review leaves a pending one behind", async () => {
    spoilNext("create_review", { kind: "server_error", isApplied: true });
    const body = { event: "APPROVED", body: "x", comments: [{ path: "a.txt", new_position: 2, body: "Why?" }] };
    expect((await stage.ask("POST", "/repos/mia/tools/pulls/1/reviews", { body })).status).toBe(500);
    expect(stage.sandbox.look(stage.pull).reviews.map(({ state }) => state)).toEqual(["pending"]);
  });

  it("limits as a proxy does, with and without a time", async () => {
    spoilNext("list_comments", { kind: "rate_limited", retryAfterMs: 30_000 });
    const told = await stage.ask("GET", comments);
    expect([told.status, told.headers.get("retry-after"), told.body]).toEqual([429, "30", "Too Many Requests"]);
    spoilNext("list_comments", { kind: "rate_limited", retryAfterMs: null });
    expect((await stage.ask("GET", comments)).headers.get("retry-after")).toBeNull();
  });

  it("makes a token bad", async () => {
    spoilNext("get_user", { kind: "expired_token" });
    expect((await stage.ask("GET", "/user")).status).toBe(401);
    expect((await stage.ask("GET", "/user")).status).toBe(200);
  });

  it("shows the past", async () => {
    await stage.rita.comment(stage.pull, "Hello.");
    stage.pass(5_000);
    await stage.rita.comment(stage.pull, "Again.");
    stage.pass(1_000);
    for (const [endpoint, path, length] of [
      ["list_comments", comments, 1],
      ["list_timeline", "/repos/mia/tools/issues/1/timeline", 2],
    ] as const) {
      spoilNext(endpoint, { kind: "stale", ms: 3_000 });
      expect((await stage.ask("GET", path)).body).toHaveLength(length);
      expect((await stage.ask("GET", path)).body).toHaveLength(length + 1);
    }
  });

  it("keeps the connection open where the server is told to wait", async () => {
    const silent = await openStage({ silence: "waits" });
    silent.spoil(() => ({ kind: "timeout", isApplied: true }));
    const leaving = new AbortController();
    const sent = fetch(`${silent.gitea.url}/api/v1${comments}`, {
      method: "POST",
      headers: { authorization: "token rita" },
      body: JSON.stringify({ body: "Hello." }),
      signal: leaving.signal,
    });
    // Nobody waits for it yet when the server hangs up.
    sent.catch(() => undefined);
    await vi.waitFor(() => expect(silent.sandbox.look(silent.pull).comments).toHaveLength(1), patience);
    await sleep(hangUpMs);
    leaving.abort();
    await expect(sent).rejects.toThrow("aborted");
    await silent.gitea.close();
  });
});
