import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { AccountId, CommentId, HeadSha, ThreadId } from "#core/model/ids.ts";
import { after, instant, minuteMs, secondMs } from "#core/model/instant.ts";
import { createGithubClient, type GithubSpent } from "#forges/github/github-client.ts";
import { githubLimits } from "#forges/github/github-limits.ts";
import { type Forge, ForgeError } from "#ports/forge.ts";
import { someRepository as repository } from "#testing/makers.ts";
import { type HeardRequest, jsonAnswer, scriptedFetch } from "#testing/scripted-fetch.ts";

const pull = { repository, number: 12 };
const rita = { id: AccountId.parse("5"), login: "rita", kind: "person" } as const;
const head = HeadSha.parse("a".repeat(40));
const start = instant(1_767_258_000_000);
const date = { date: new Date(start).toUTCString() };

interface Made {
  readonly forge: Forge;
  readonly heard: readonly HeardRequest[];
  readonly spent: readonly GithubSpent[];
  readonly slept: readonly number[];
  readonly pass: (ms: number) => void;
}

function connect(answer: (request: HeardRequest, index: number) => Response | null, url = "https://api.test"): Made {
  const { fetch, heard } = scriptedFetch(answer);
  const spent: GithubSpent[] = [];
  const slept: number[] = [];
  let now = start;
  const clock = {
    now: () => now,
    sleep: async (ms: number) => {
      slept.push(ms);
    },
  };
  const access = { kind: "token", token: "ghp_secret" } as const;
  const forge = createGithubClient({ url, access, clock, fetch, onSpent: (each) => spent.push(each) });
  return { forge, heard, spent, slept, pass: (ms) => (now = after(now, ms)) };
}

async function errorOf(call: Promise<unknown>): Promise<ForgeError> {
  const error: unknown = await call.then(
    () => "it answered",
    (cause: unknown) => cause,
  );
  if (error instanceof ForgeError) return error;
  throw new Error("expected a ForgeError", { cause: error });
}

const permission = { permission: "write", role_name: "maintain", user: { id: 5, login: "rita" } };

describe("a read", () => {
  it.each([
    ["silence", () => null],
    ["a server error", () => jsonAnswer({ message: "Bad gateway" }, { status: 502 })],
  ])("is asked for three times through %s, waiting longer each time", async (_, answer) => {
    const { forge, heard, slept } = connect(answer);
    const { kind, isApplied } = await errorOf(forge.fetchPermission({ repository, account: rita }));
    expect({ kind, isApplied, requests: heard.length, slept }).toEqual({
      kind: "unavailable",
      isApplied: "no",
      requests: 3,
      slept: [1_000, 2_000],
    });
  });

  it("that works at last is as good as one that worked at once", async () => {
    const { forge } = connect((_, index) => (index < 2 ? null : jsonAnswer(permission)));
    expect(await forge.fetchPermission({ repository, account: rita })).toBe("write");
  });

  it.each([401, 403, 404, 422])("is not asked for again after %i", async (status) => {
    const { forge, heard } = connect(() => jsonAnswer({ message: "No" }, { status }));
    await errorOf(forge.fetchRepository(repository.name));
    expect(heard).toHaveLength(1);
  });

  it("whose answer is no JSON at all is malformed", async () => {
    const { forge } = connect(() => new Response("<html>", { headers: { "content-type": "text/html" } }));
    expect((await errorOf(forge.fetchRepository(repository.name))).kind).toBe("malformed");
  });

  it("that is larger than anybody reads is given up", async () => {
    const tooMuch = new Uint8Array(githubLimits.answerBytesMax + 1);
    const { forge } = connect(() => new Response(tooMuch));
    expect((await errorOf(forge.fetchRepository(repository.name))).kind).toBe("unavailable");
  });
});

describe("a write", () => {
  it.each([
    ["silence", (): null => null, { kind: "unavailable", isApplied: "unknown" }],
    ["a server error", () => jsonAnswer({}, { status: 500 }), { kind: "unavailable", isApplied: "unknown" }],
    ["a refusal", () => jsonAnswer({ message: "No" }, { status: 422 }), { kind: "refused", isApplied: "no" }],
    ["a wrong token", () => jsonAnswer({ message: "Bad" }, { status: 401 }), { kind: "unauthorized", isApplied: "no" }],
    ["an unreadable success", () => jsonAnswer({ ok: true }), { kind: "malformed", isApplied: "unknown" }],
  ] as const)("is sent once through %s, and says what may have become of it", async (_, answer, expected) => {
    const { forge, heard } = connect(answer);
    expect(await errorOf(forge.createComment({ pull, body: "Hello." }))).toMatchObject(expected);
    expect(heard).toHaveLength(1);
  });

  it("goes where the letter of the comment says, and nowhere for one without", async () => {
    const { forge, heard } = connect(() => jsonAnswer({}));
    await forge.editComment({ pull, comment: CommentId.parse("i41"), body: "One." });
    await forge.editComment({ pull, comment: CommentId.parse("r41"), body: "Two." });
    const lost = await errorOf(forge.editComment({ pull, comment: CommentId.parse("41"), body: "Three." }));
    expect(heard.map(({ path }) => path)).toEqual([
      "/repos/acme/tools/issues/comments/41",
      "/repos/acme/tools/pulls/comments/41",
    ]);
    expect(lost).toMatchObject({ kind: "not_found", isApplied: "no" });
  });
});

function limited(status: number, headers: Record<string, string>, message = "Slow down"): Promise<ForgeError> {
  const { forge } = connect(() => jsonAnswer({ message }, { status, headers: { ...date, ...headers } }));
  return errorOf(forge.createComment({ pull, body: "Hello." }));
}

describe("a failure", () => {
  it.each([
    ["silence", () => null],
    ["a refusal", () => jsonAnswer({ message: "Bad credentials" }, { status: 401 })],
    ["nonsense", () => jsonAnswer("nonsense")],
  ])("tells nobody the token: %s", async (_, answer) => {
    const { forge } = connect(answer);
    for (const call of [forge.fetchRepository(repository.name), forge.createComment({ pull, body: "Hello." })]) {
      expect(inspect(await errorOf(call), { depth: null, showHidden: true })).not.toContain("ghp_secret");
    }
  });
});

describe("a limit", () => {
  it.each([
    ["retry-after", 403, { "retry-after": "30" }, after(start, 30 * secondMs)],
    ["429 without a word", 429, {}, null],
    [
      "nothing left",
      403,
      {
        "x-ratelimit-limit": "5000",
        "x-ratelimit-remaining": "0",
        "x-ratelimit-reset": String((start + 10 * minuteMs) / 1000),
      },
      after(start, 10 * minuteMs),
    ],
  ] as const)("is known by %s", async (_, status, headers, retryAt) => {
    expect(await limited(status, headers)).toMatchObject({ kind: "rate_limited", isApplied: "no", retryAt });
  });

  it("without any header is known by its words alone, and a plain 403 is none", async () => {
    const secondary = await limited(403, {}, "You have exceeded a secondary rate limit.");
    expect(secondary).toMatchObject({ kind: "rate_limited", retryAt: null });
    expect((await limited(403, {}, "Resource not accessible by integration")).kind).toBe("forbidden");
  });

  it("of GraphQL comes with a success", async () => {
    const { forge } = connect(({ path }) => {
      if (path === "/user") return jsonAnswer({ id: 9, login: "drover", type: "User" });
      return jsonAnswer({ errors: [{ type: "RATE_LIMITED", message: "API rate limit exceeded" }] });
    });
    expect((await errorOf(forge.fetchPull(pull))).kind).toBe("rate_limited");
  });
});

/** A GitHub that knows us, and whose GraphQL has this to say. */
function looked(error: Readonly<Record<string, unknown>>): Made {
  return connect(({ path }) => {
    if (path === "/user") return jsonAnswer({ id: 9, login: "drover", type: "User" });
    return jsonAnswer({ data: { repository: null }, errors: [error] });
  });
}

describe("GraphQL", () => {
  it.each([
    [{ type: "NOT_FOUND", message: "Could not resolve" }, "not_found", 1],
    [{ type: "FORBIDDEN", message: "Resource not accessible by integration" }, "forbidden", 1],
    [{ type: "UNPROCESSABLE", message: "No" }, "refused", 1],
    [{ message: "Field 'x' doesn't exist", extensions: { code: "undefinedField" } }, "refused", 1],
    [{ message: "Something went wrong while executing your query." }, "unavailable", 3],
  ])("that answers with the error %j is %s, asked for %i times", async (error, kind, times) => {
    const { forge, heard } = looked(error);
    expect((await errorOf(forge.fetchPull(pull))).kind).toBe(kind);
    expect(heard.filter(({ path }) => path === "/graphql")).toHaveLength(times);
  });

  it("that failed half-way with a write may have done it, and is not asked again", async () => {
    const { forge, heard } = looked({ message: "Something went wrong while executing your query." });
    const error = await errorOf(forge.resolveThread({ pull, thread: ThreadId.parse("PRRT_1") }));
    expect(error).toMatchObject({ kind: "unavailable", isApplied: "unknown" });
    expect(heard).toHaveLength(1);
  });
});

describe("what is told again", () => {
  it("is asked for with its ETag, costs nothing while it is the same, and is believed", async () => {
    const body = { id: 7, full_name: "acme/tools", clone_url: "https://github.test/acme/tools.git" };
    const { forge, heard, spent } = connect(({ headers }) =>
      headers.get("if-none-match") === '"one"'
        ? new Response(null, { status: 304 })
        : jsonAnswer(body, { headers: { etag: '"one"' } }),
    );
    expect(await forge.fetchRepository("acme/tools")).toEqual(repository);
    expect(await forge.fetchRepository("acme/tools")).toEqual(repository);
    expect(heard.map(({ headers }) => headers.get("if-none-match"))).toEqual([null, '"one"']);
    expect(spent.map(({ points, isNotModified }) => [points, isNotModified])).toEqual([
      [1, false],
      [0, true],
    ]);
  });

  it("of a permission is not asked for at all within two minutes", async () => {
    const { forge, heard, pass } = connect(() => jsonAnswer(permission));
    const ask = () => forge.fetchPermission({ repository, account: rita });
    await ask();
    pass(minuteMs);
    await ask();
    expect(heard).toHaveLength(1);
    pass(minuteMs);
    await ask();
    expect(heard).toHaveLength(2);
  });
});

describe("the address", () => {
  it("of GraphQL is beside REST on an Enterprise server, and below the root elsewhere", async () => {
    for (const [url, expected] of [
      ["https://code.example/api/v3", "https://code.example/api/graphql"],
      ["https://api.test/", "https://api.test/graphql"],
    ] as const) {
      const { forge, heard } = connect(() => jsonAnswer({ data: { repository: null } }), url);
      await errorOf(forge.fetchOpenPulls(repository));
      expect(heard.map((request) => request.url)).toEqual([expected]);
    }
  });
});

describe("who we are", () => {
  it("is asked of GraphQL where the token belongs to no user", async () => {
    const viewer = { login: "github-actions[bot]", databaseId: 41_898_282 };
    const { forge } = connect((_, index) =>
      index === 0
        ? jsonAnswer({ message: "Resource not accessible by integration" }, { status: 403 })
        : jsonAnswer({ data: { viewer } }),
    );
    const { bot, capabilities } = await forge.fetchIdentity();
    expect(bot).toEqual({ id: "41898282", login: "github-actions[bot]", kind: "bot" });
    expect(capabilities.hasNeutralGate).toBe(false);
  });

  it("is not made up while a limit keeps us from asking", async () => {
    const { forge } = connect(() => jsonAnswer({}, { status: 403, headers: { "retry-after": "60" } }));
    expect((await errorOf(forge.fetchIdentity())).kind).toBe("rate_limited");
  });
});

describe("the budget", () => {
  it("is the tighter one of REST and GraphQL, as last heard", async () => {
    const rate = (resource: string, left: number) => ({
      "x-ratelimit-resource": resource,
      "x-ratelimit-limit": "5000",
      "x-ratelimit-remaining": String(left),
      "x-ratelimit-reset": String((start + minuteMs) / 1000),
      ...date,
    });
    const { forge } = connect(({ path }) =>
      path === "/graphql"
        ? jsonAnswer({ data: { repository: null } }, { headers: rate("graphql", 100) })
        : jsonAnswer(permission, { headers: rate("core", 4_000) }),
    );
    expect(forge.findRateLimit()).toBeNull();
    await forge.fetchPermission({ repository, account: rita });
    expect(forge.findRateLimit()).toEqual({ limit: 5_000, left: 4_000, resetAt: after(start, minuteMs) });
    await errorOf(forge.fetchOpenPulls(repository));
    expect(forge.findRateLimit()).toMatchObject({ left: 100 });
  });
});

describe("a review", () => {
  it("of more remarks than GitHub takes at once is refused, and one that came too early is to wait", async () => {
    const tooQuick = { message: "Unprocessable Entity", errors: ["was submitted too quickly"] };
    const { forge } = connect(() => jsonAnswer(tooQuick, { status: 422 }));
    const remark = { path: "a.txt", side: "new", lines: { first: 1, last: 1 }, body: "Hm." } as const;
    const kindWith = async (count: number) => {
      const remarks = Array.from({ length: count }, () => remark);
      return (await errorOf(forge.submitReview({ pull, head, event: "comment", body: "Words.", remarks }))).kind;
    };
    expect(await kindWith(githubLimits.remarksAtOnceMax)).toBe("rate_limited");
    expect(await kindWith(githubLimits.remarksAtOnceMax + 1)).toBe("refused");
  });
});

describe("a reply", () => {
  it("whose time was used up by looking for its thread is certainly not sent", async () => {
    const root = {
      totalCount: 1,
      pageInfo: { hasNextPage: false, endCursor: null },
      nodes: [{ fullDatabaseId: "41" }],
    };
    const { forge, heard, pass } = connect(() => {
      pass(githubLimits.writeTimeoutMs);
      return jsonAnswer({ data: { node: { comments: root } } });
    });
    const error = await errorOf(forge.replyInThread({ pull, thread: ThreadId.parse("PRRT_1"), body: "Yes." }));
    expect(error).toMatchObject({ kind: "unavailable", isApplied: "no" });
    expect(heard.map(({ path }) => path)).toEqual(["/graphql"]);
  });
});

describe("a name that another repository has by now", () => {
  it("is no place to merge, and none to push to", async () => {
    const { forge, heard } = connect(() =>
      jsonAnswer({ id: 8, full_name: "acme/tools", clone_url: "https://github.test/acme/tools.git" }),
    );
    expect(await errorOf(forge.merge({ pull, head }))).toMatchObject({ kind: "not_found", isApplied: "no" });
    expect((await errorOf(forge.fetchRemote(repository, "push"))).kind).toBe("not_found");
    expect(heard.map(({ method }) => method)).toEqual(["GET", "GET"]);
  });
});

async function remoteAt(clone_url: string, api: string): Promise<string> {
  const { forge } = connect(() => jsonAnswer({ id: 7, full_name: "acme/tools", clone_url }), api);
  return await forge.fetchRemote(repository, "push").then(
    ({ url }) => url,
    (error: unknown) => (error instanceof ForgeError ? error.kind : String(error)),
  );
}

describe("the place of git", () => {
  it.each([
    ["https://github.test/acme/tools.git", "https://api.github.test"],
    ["https://code.test/acme/tools.git", "https://code.test/api/v3"],
  ])("is %s for the API at %s", async (url, api) => {
    expect(await remoteAt(url, api)).toBe(url);
  });

  it.each([
    "http://github.test/acme/tools.git",
    "https://elsewhere.test/acme/tools.git",
    "https://github.test.elsewhere.test/x.git",
    "file:///acme/tools.git",
    "/acme/tools.git",
  ])("is never %s: the token that goes there may write", async (url) => {
    expect(await remoteAt(url, "https://api.github.test")).toBe("malformed");
  });
});

describe("merging", () => {
  it.each([
    [{}, "merge"],
    [{ allow_merge_commit: false, allow_squash_merge: true }, "squash"],
    [{ allow_merge_commit: false, allow_squash_merge: false, allow_rebase_merge: true }, "rebase"],
  ])("takes the way that the repository allows: %j", async (allowed, method) => {
    const { forge, heard } = connect((request) =>
      request.method === "GET"
        ? jsonAnswer({ id: 7, full_name: "acme/tools", clone_url: "https://github.test/acme/tools.git", ...allowed })
        : jsonAnswer({ sha: "b".repeat(40), merged: true, message: "Merged" }),
    );
    expect(await forge.merge({ pull, head })).toEqual({ kind: "merged", commit: "b".repeat(40) });
    expect(heard.at(-1)?.body).toEqual({ sha: head, merge_method: method });
  });

  it.each([
    [["Merge commits are not allowed on this repository."], ["merge", "squash"], "merged"],
    [
      ["This branch must not contain merge commits.", "Squash merges are not allowed on this repository."],
      ["merge", "squash", "rebase"],
      "merged",
    ],
    [["At least 1 approving review is required by reviewers with write access."], ["merge"], "not_now"],
    [["Pull Request is not mergeable"], ["merge"], "not_now"],
  ])("tries another way only where the branch refuses this one: %j", async (refusals, methods, kind) => {
    const { forge, heard } = connect(({ method }, index) => {
      if (method === "GET")
        return jsonAnswer({ id: 7, full_name: "acme/tools", clone_url: "https://github.test/x.git" });
      const message = refusals[index - 1];
      return message === undefined ? jsonAnswer({ sha: "b".repeat(40) }) : jsonAnswer({ message }, { status: 405 });
    });
    expect((await forge.merge({ pull, head })).kind).toBe(kind);
    expect(heard.slice(1).map(({ body }) => body)).toEqual(methods.map((one) => ({ sha: head, merge_method: one })));
  });
});
