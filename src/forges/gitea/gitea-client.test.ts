import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { AccountId, HeadSha, RepositoryId } from "#core/model/ids.ts";
import { after, hourMs, instant, minuteMs, secondMs } from "#core/model/instant.ts";
import type { ForgeCallCost } from "#forges/forge-call-cost.ts";
import { createGiteaClient } from "#forges/gitea/gitea-client.ts";
import { giteaLimits } from "#forges/gitea/gitea-limits.ts";
import type { Forge } from "#ports/forge.ts";
import { type HeardRequest, jsonAnswer, scriptedFetch } from "#testing/scripted-fetch.ts";

const repository = { id: RepositoryId.parse("7"), name: "mia/tools" };
const pull = { repository, number: 12 };
const rita = { id: AccountId.parse("5"), login: "rita", kind: "person" } as const;
const head = HeadSha.parse("a".repeat(40));
const start = instant(1_767_258_000_000);

interface Made {
  readonly forge: Forge;
  readonly heard: readonly HeardRequest[];
  readonly spent: readonly ForgeCallCost[];
  readonly slept: readonly number[];
  readonly pass: (ms: number) => void;
}

function connect(answer: (request: HeardRequest, index: number) => Response | null, url = "https://git.test"): Made {
  const { fetch, heard } = scriptedFetch(answer);
  const spent: ForgeCallCost[] = [];
  const slept: number[] = [];
  let now = start;
  const clock = {
    now: () => now,
    sleep: async (ms: number) => {
      slept.push(ms);
    },
  };
  const forge = createGiteaClient({ url, token: "s3cret", clock, fetch, onSpent: (each) => spent.push(each) });
  return { forge, heard, spent, slept, pass: (ms) => (now = after(now, ms)) };
}

const paths = {
  resolve: { "/repos/{owner}/{repo}/pulls/comments/{id}/resolve": {} },
  replies: { "/repos/{owner}/{repo}/pulls/{index}/comments/{id}/replies": {} },
};

/** A server that says which one it is, and who asks. */
function serverOf(version: string, description: object | null): (request: HeardRequest) => Response {
  return ({ url }) => {
    const { pathname } = new URL(url);
    if (pathname === "/api/v1/version") return jsonAnswer({ version });
    if (pathname === "/api/v1/settings/api") return jsonAnswer({ max_response_items: 50 });
    if (pathname === "/api/v1/user") return jsonAnswer({ id: 3, login: "drover" });
    const isDescribed = pathname === "/swagger.v1.json" && description !== null;
    return isDescribed ? jsonAnswer({ paths: description }) : jsonAnswer({ message: "Not found." }, { status: 404 });
  };
}

describe("who we are on Gitea, and what it can do", () => {
  it.each([
    ["1.25.5", null, false],
    ["1.26.0", { ...paths.resolve }, true],
    ["1.26.0", null, true],
    ["1.27.0+dev-12-gabc", {}, false],
    ["11.0.1+gitea-1.22.0", {}, false],
    ["11.0.1+gitea-1.22.0", null, false],
    ["99.0.0+gitea-1.26.0", null, false],
    ["99.0.0+gitea-1.26.0", { ...paths.resolve }, true],
  ])("%s with %j resolves threads: %s", async (version, description, mayResolveThreads) => {
    const { forge } = connect(serverOf(version, description));
    const { bot, capabilities } = await forge.fetchIdentity();
    expect(bot).toEqual({ id: "3", login: "drover", kind: "person" });
    expect(capabilities).toMatchObject({ mayResolveThreads, hasNeutralGate: false, mayEditReviewBodies: true });
  });

  it("is asked once an hour", async () => {
    const { forge, heard, pass } = connect(serverOf("1.27.0", { ...paths.resolve, ...paths.replies }));
    await forge.fetchIdentity();
    const first = heard.length;
    await forge.fetchIdentity();
    expect(heard.length).toBe(first);
    pass(hourMs + secondMs);
    await forge.fetchIdentity();
    expect(heard.length).toBe(2 * first);
  });

  it("is asked again after trouble", async () => {
    let isDown = true;
    const serve = serverOf("1.25.5", null);
    const { forge } = connect((request) => (isDown ? null : serve(request)));
    await expect(forge.fetchIdentity()).rejects.toMatchObject({ kind: "unavailable" });
    isDown = false;
    expect((await forge.fetchIdentity()).bot.login).toBe("drover");
  });

  it.each(["1.15.11", "0.9.0", "unknown"])("says so where %s is too old or no Gitea", async (version) => {
    const { forge } = connect(serverOf(version, null));
    await expect(forge.fetchIdentity()).rejects.toMatchObject({ kind: "refused", isApplied: "no" });
  });

  it("has no budget: nobody counts", async () => {
    const { forge } = connect(serverOf("1.25.5", null));
    await forge.fetchIdentity();
    expect(forge.findRateLimit()).toBeNull();
  });
});

describe("calls to Gitea", () => {
  const found = { id: 7, full_name: "mia/tools" };

  it("are repeated where a read is not answered, ever more slowly, and no more than twice", async () => {
    const { forge, heard, slept } = connect((_, index) => (index < 2 ? null : jsonAnswer(found)));
    expect(await forge.fetchRepository("mia/tools")).toEqual(repository);
    expect([heard.length, slept]).toEqual([3, [secondMs, 2 * secondMs]]);
    const dead = connect(() => jsonAnswer({ message: "broken" }, { status: 502 }));
    await expect(dead.forge.fetchRepository("mia/tools")).rejects.toMatchObject({ kind: "unavailable" });
    expect(dead.heard).toHaveLength(3);
  });

  it("are not repeated where a read is refused", async () => {
    const { forge, heard } = connect(() => jsonAnswer({ message: "no" }, { status: 403 }));
    await expect(forge.fetchRepository("mia/tools")).rejects.toMatchObject({ kind: "forbidden" });
    expect(heard).toHaveLength(1);
  });

  it.each([null, 500, 502])("are sent once where a write is answered with %s", async (status) => {
    const { forge, heard } = connect(({ method }) => {
      if (method === "GET") return jsonAnswer({});
      return status === null ? null : jsonAnswer({ message: "broken" }, { status });
    });
    const writing = forge.createComment({ pull, body: "Hello." });
    await expect(writing).rejects.toMatchObject({ kind: "unavailable", isApplied: "unknown" });
    expect(heard.filter(({ method }) => method === "POST")).toHaveLength(1);
  });

  it("know a comment on a pull that is not there from a server that broke down", async () => {
    const { forge } = connect(({ method }) => jsonAnswer({ message: "x" }, { status: method === "GET" ? 404 : 500 }));
    const writing = forge.createComment({ pull, body: "Hello." });
    await expect(writing).rejects.toMatchObject({ kind: "not_found", isApplied: "no" });
  });

  it("say what they cost, as soon as they are answered", async () => {
    const { forge, spent } = connect((_, index) => (index === 0 ? null : jsonAnswer(found)));
    await forge.fetchRepository("mia/tools");
    expect(spent).toEqual([{ api: "rest", call: "look up repository", points: 1, isNotModified: false }]);
  });

  it("never show the token", async () => {
    const { forge } = connect(() => jsonAnswer({ message: "no" }, { status: 403 }));
    const error: unknown = await forge.fetchRepository("mia/tools").catch((cause: unknown) => cause);
    expect(inspect(error, { depth: 10 })).not.toContain("s3cret");
    const { forge: working } = connect(() => jsonAnswer(found));
    const remote = await working.fetchRemote(repository, "push");
    expect(inspect(remote, { depth: 10 })).not.toContain("s3cret");
    expect(remote.credential?.reveal()).toBe("s3cret");
  });
});

describe("a repository on Gitea", () => {
  it("is found by git at the server that the operator named, whatever it calls itself", async () => {
    const told = { id: 7, full_name: "mia/tools", clone_url: "https://evil.test/mia/tools.git" };
    const { forge } = connect(() => jsonAnswer(told), "https://git.test/forge/");
    expect((await forge.fetchRemote(repository, "push")).url).toBe("https://git.test/forge/mia/tools.git");
  });

  it("of the same name that is another one is not found", async () => {
    const { forge } = connect(() => jsonAnswer({ id: 8, full_name: "mia/tools" }));
    await expect(forge.fetchRemote(repository, "push")).rejects.toMatchObject({ kind: "not_found" });
    const merging = forge.merge({ pull, head });
    await expect(merging).rejects.toMatchObject({ kind: "not_found", isApplied: "no" });
  });

  it("that does not read is malformed", async () => {
    const { forge } = connect(() => new Response("<html>"));
    await expect(forge.fetchRepository("mia/tools")).rejects.toMatchObject({ kind: "malformed" });
  });
});

describe("a permission on Gitea", () => {
  const asked = { repository, account: rita };

  it.each([
    ["owner", "admin"],
    ["admin", "admin"],
    ["write", "write"],
    ["read", "read"],
    ["none", "none"],
  ])("%s is %s", async (permission, told) => {
    const { forge } = connect(({ path }) =>
      jsonAnswer(path.endsWith("/teams") ? [] : { permission, user: { id: 5, login: "rita" } }),
    );
    expect(await forge.fetchPermission(asked)).toBe(told);
  });

  it("that is not told is undetermined, and asked for again", async () => {
    const { forge, heard } = connect(() => jsonAnswer({ message: "no" }, { status: 403 }));
    expect(await forge.fetchPermission(asked)).toBe("undetermined");
    expect(await forge.fetchPermission(asked)).toBe("undetermined");
    expect(heard).toHaveLength(2);
  });

  it("of somebody who is not there is none", async () => {
    const { forge } = connect(() => jsonAnswer({ message: "who?" }, { status: 404 }));
    expect(await forge.fetchPermission(asked)).toBe("none");
  });

  it("of whoever has the login by now is not believed", async () => {
    const { forge } = connect(() => jsonAnswer({ permission: "admin", user: { id: 6, login: "rita" } }));
    expect(await forge.fetchPermission(asked)).toBe("undetermined");
  });

  it("is believed for two minutes", async () => {
    const { forge, heard, pass } = connect(() => jsonAnswer({ permission: "write", user: { id: 5, login: "rita" } }));
    await forge.fetchPermission(asked);
    pass(minuteMs);
    await forge.fetchPermission(asked);
    expect(heard).toHaveLength(1);
    pass(giteaLimits.permissionMsMax);
    await forge.fetchPermission(asked);
    expect(heard).toHaveLength(2);
  });
});
