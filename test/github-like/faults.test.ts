import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { minuteMs } from "#core/model/instant.ts";
import type { SandboxFault } from "#forges/sandbox/sandbox.ts";
import { openStage, type Stage } from "./stage.ts";

const comments = "/repos/mia/tools/issues/1/comments";
const hello = { body: { body: "Hello." } };

describe("a fault of the served GitHub", () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStage();
  });
  afterEach(() => stage.github.close());

  function spoilOnce(fault: SandboxFault): void {
    let isDone = false;
    stage.spoil(() => {
      const next = isDone ? null : fault;
      isDone = true;
      return next;
    });
  }

  const said = () => stage.sandbox.look(stage.pull).comments.map(({ body }) => String(body));

  it.each([
    ["an answer that is lost", { kind: "lost_response" }, ["Hello."]],
    ["a timeout after the fact", { kind: "timeout", isApplied: true }, ["Hello."]],
    ["a timeout before the fact", { kind: "timeout", isApplied: false }, []],
  ] as const)("%s breaks the connection", async (_, fault, left) => {
    spoilOnce(fault);
    await expect(stage.ask("POST", comments, hello)).rejects.toThrow("fetch failed");
    expect(said()).toEqual(left);
    expect(stage.github.requests.at(-1)).toMatchObject({ endpoint: "create_comment", isWrite: true, status: null });
  });

  it.each([
    ["a server error after the fact", { kind: "server_error", isApplied: true }, 500, ["Hello."]],
    ["a server error before the fact", { kind: "server_error", isApplied: false }, 502, []],
    ["a token that expired", { kind: "expired_token" }, 401, []],
    ["a limit", { kind: "rate_limited", retryAfterMs: 90_000 }, 403, []],
  ] as const)("%s is a status", async (_, fault, status, left) => {
    spoilOnce(fault);
    expect((await stage.ask("POST", comments, hello)).status).toBe(status);
    expect(said()).toEqual(left);
    expect((await stage.ask("GET", comments)).status).toBe(200);
  });

  it("of a limit says how long to wait, or does not", async () => {
    spoilOnce({ kind: "rate_limited", retryAfterMs: 90_000 });
    const told = await stage.ask("GET", comments);
    expect([told.headers.get("retry-after"), told.body.message]).toEqual([
      "90",
      expect.stringContaining("secondary rate limit"),
    ]);
    spoilOnce({ kind: "rate_limited", retryAfterMs: null });
    expect((await stage.ask("GET", comments)).headers.get("retry-after")).toBeNull();
  });

  it("of GraphQL is the same", async () => {
    spoilOnce({ kind: "server_error", isApplied: false });
    expect((await stage.graphql("{ viewer { login } }")).status).toBe(502);
    spoilOnce({ kind: "lost_response" });
    await expect(stage.graphql("{ viewer { login } }")).rejects.toThrow("fetch failed");
  });

  it("may be a silence that somebody has to give up on", async () => {
    const quiet = await openStage({}, { silence: "waits" });
    quiet.spoil(() => ({ kind: "lost_response" }));
    const waiting = fetch(`${quiet.github.url}/user`, {
      headers: { authorization: "Bearer rita" },
      signal: AbortSignal.timeout(100),
    });
    await expect(waiting).rejects.toThrow("aborted");
    await quiet.github.close();
  });

  it("is asked for once for each request, by the name of the endpoint and whether it writes", async () => {
    const asked: string[] = [];
    stage.spoil(({ endpoint, isWrite, account }) => {
      asked.push(`${endpoint} ${isWrite ? "writes" : "reads"} ${account.login}`);
      return null;
    });
    await stage.ask("GET", comments);
    await stage.ask("POST", comments, hello);
    await stage.graphql("{ viewer { login } }", {}, "ada");
    await stage.graphql(
      `mutation { minimizeComment(input: { subjectId: "x", classifier: SPAM }) { clientMutationId } }`,
    );
    expect(asked).toEqual([
      "list_comments reads rita",
      "create_comment writes rita",
      "graphql:viewer reads ada",
      "graphql:minimizeComment writes rita",
    ]);
  });
});

describe("a forge that lags", () => {
  it("shows the past to reads of both APIs, and the present to writes", async () => {
    const stage = await openStage();
    const first = await stage.ask("POST", comments, hello);
    stage.pass(minuteMs);
    await stage.ada.comment(stage.pull, "Later.");
    await stage.ada.editPull(stage.pull, { title: "Later" });
    stage.spoil(({ isWrite }) => (isWrite ? null : { kind: "stale", ms: 30_000 }));
    expect((await stage.ask("GET", comments)).body).toHaveLength(1);
    expect((await stage.ask("GET", "/repos/mia/tools/pulls/1")).body.title).toBe("A change");
    const query = `{ repository(owner: "mia", name: "tools") { pullRequest(number: 1) { title comments(first: 9) { totalCount } } } }`;
    const { pullRequest } = (await stage.graphql(query)).body.data.repository;
    expect(pullRequest).toEqual({ title: "A change", comments: { totalCount: 1 } });
    expect(
      (await stage.ask("PATCH", `/repos/mia/tools/issues/comments/${first.body.id}`, { body: { body: "New." } }))
        .status,
    ).toBe(200);
    await stage.github.close();
  });
});

describe("too many writes within a minute", () => {
  it.each([403, 429] as const)("are refused with %d until there is room again", async (limitStatus) => {
    const stage = await openStage({ writesPerMinuteMax: 2 }, { limitStatus });
    await stage.ask("POST", comments, hello);
    stage.pass(10_000);
    await stage.ask("POST", comments, hello);
    const refused = await stage.ask("POST", comments, hello);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([limitStatus, "50"]);
    expect((await stage.ask("GET", comments)).body).toHaveLength(2);
    stage.pass(50_000);
    expect((await stage.ask("POST", comments, hello)).status).toBe(201);
    await stage.github.close();
  });
});
