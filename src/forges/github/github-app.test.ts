import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import { HeadSha, ThreadId } from "#core/model/ids.ts";
import { after, formatInstant, hourMs, instant, minuteMs } from "#core/model/instant.ts";
import { createGithubClient } from "#forges/github/github-client.ts";
import { githubLimits } from "#forges/github/github-limits.ts";
import { type Forge, ForgeError } from "#ports/forge.ts";
import { someRepository as repository } from "#testing/makers.ts";
import { type HeardRequest, jsonAnswer, scriptedFetch } from "#testing/scripted-fetch.ts";
import { stillClock } from "#testing/still-clock.ts";

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs1", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});

const pull = { repository, number: 12 };
const head = HeadSha.parse("a".repeat(40));
const start = instant(1_767_258_000_000);
/** What never comes fails the test by this limit, however slow the machine. */
const patience = { timeout: 30_000 };

interface Made {
  readonly forge: Forge;
  readonly heard: readonly HeardRequest[];
  readonly pass: (ms: number) => void;
}

/** A GitHub whose tokens are counted: `t1`, `t2`, … The forge's clock is two hours ahead of the machine's. */
function connect(answer: (request: HeardRequest) => Response | null, installation: number | null = 31): Made {
  let now = start;
  let tokens = 0;
  const { fetch, heard } = scriptedFetch((request) => {
    const forgeNow = after(now, 2 * hourMs);
    if (request.path === "/app") return jsonAnswer({ id: 99, slug: "drover" });
    if (request.path.endsWith("/installation")) return jsonAnswer({ id: 32 });
    if (!request.path.endsWith("/access_tokens")) return answer(request);
    tokens += 1;
    const body = { token: `t${tokens}`, expires_at: formatInstant(after(forgeNow, hourMs)) };
    return jsonAnswer(body, { status: 201, headers: { date: new Date(forgeNow).toUTCString() } });
  });
  const clock = { now: () => now, sleep: async () => undefined };
  const access = { kind: "app", appId: "99", privateKey, installation } as const;
  const forge = createGithubClient({ url: "https://api.test", access, clock, fetch });
  return { forge, heard, pass: (ms) => (now = after(now, ms)) };
}

const known = { id: 7, full_name: "acme/tools", clone_url: "https://github.test/acme/tools.git" };

function tokensAsked(heard: readonly HeardRequest[]): readonly unknown[] {
  return heard.filter(({ path }) => path.endsWith("/access_tokens")).map(({ body }) => body);
}

describe("the token of an App", () => {
  it("is narrowed to one repository and to what the call needs", async () => {
    const { forge, heard } = connect(({ method, path }) => {
      if (path === "/graphql") return jsonAnswer({ data: { repository: null } });
      return jsonAnswer(method === "GET" ? known : { id: 1, sha: "b".repeat(40) });
    });
    await forge.fetchOpenPulls(repository).catch(() => undefined);
    await forge.createComment({ pull, body: "Hello." });
    await forge.merge({ pull, head });
    const read = { checks: "read", contents: "read", issues: "read", metadata: "read", pull_requests: "read" };
    const look = { ...read, actions: "read", statuses: "read" };
    expect(tokensAsked(heard)).toEqual([
      { repository_ids: [7], permissions: look },
      { repository_ids: [7], permissions: { ...look, checks: "write", issues: "write", pull_requests: "write" } },
      { repository_ids: [7], permissions: { ...look, contents: "write", pull_requests: "write" } },
    ]);
  });

  it("for a repository that has another name by now sees next to nothing, and that is enough to find it", async () => {
    const { fetch, heard } = scriptedFetch(({ path, body }) => {
      if (!path.endsWith("/access_tokens")) return jsonAnswer({ ...known, full_name: "acme/new-tools" });
      const isByName = JSON.stringify(body).includes("repositories");
      if (isByName)
        return jsonAnswer({ message: "There is at least one repository that does not exist" }, { status: 422 });
      return jsonAnswer({ token: "t", expires_at: formatInstant(after(start, hourMs)) });
    });
    const clock = stillClock(start);
    const access = { kind: "app", appId: "99", privateKey, installation: 31 } as const;
    const forge = createGithubClient({ url: "https://api.test", access, clock, fetch });
    expect(await forge.fetchRepository("acme/tools")).toEqual({ ...repository, name: "acme/new-tools" });
    expect(tokensAsked(heard).at(-1)).toEqual({ permissions: { metadata: "read" } });
  });

  it("that resolves a thread may write contents, since GitHub wants that", async () => {
    const { forge, heard } = connect(() => jsonAnswer({ data: {} }));
    await forge.resolveThread({ pull, thread: ThreadId.parse("PRRT_1") });
    expect(tokensAsked(heard)).toMatchObject([{ permissions: { contents: "write" } }]);
  });

  it("is used again until shortly before its end, whatever the two clocks say", async () => {
    const { forge, heard, pass } = connect(() => jsonAnswer({ id: 1 }));
    const talk = () => forge.createComment({ pull, body: "Hello." });
    await talk();
    pass(54 * minuteMs);
    await talk();
    expect(tokensAsked(heard)).toHaveLength(1);
    pass(2 * minuteMs);
    await talk();
    expect(tokensAsked(heard)).toHaveLength(2);
  });

  it("is asked for once by those who need it at the same time", async () => {
    const { forge, heard } = connect(() => jsonAnswer({ id: 1 }));
    await Promise.all([1, 2, 3].map(() => forge.createComment({ pull, body: "Hello." })));
    expect(tokensAsked(heard)).toHaveLength(1);
  });

  it("that is refused is dropped, and a read is asked once more with another", async () => {
    const { forge, heard } = connect(({ headers }) =>
      headers.get("authorization") === "Bearer t1"
        ? jsonAnswer({ message: "Bad" }, { status: 401 })
        : jsonAnswer(known),
    );
    expect(await forge.fetchRepository("acme/tools")).toEqual(repository);
    expect(tokensAsked(heard)).toHaveLength(2);
  });

  it("that is refused to two is replaced once, also where the second hears of it when the first has the next one", async () => {
    let tokens = 0;
    const { fetch: answer, heard } = scriptedFetch(({ path, headers }) => {
      if (headers.get("authorization") === "Bearer t1") return jsonAnswer({ message: "Bad" }, { status: 401 });
      if (!path.endsWith("/access_tokens")) return jsonAnswer(known);
      tokens += 1;
      return jsonAnswer({ token: `t${tokens}`, expires_at: formatInstant(after(start, hourMs)) });
    });
    const refusals: (() => void)[] = [];
    const fetch: typeof answer = async (input, init) => {
      const isFirstToken = new Headers(init?.headers).get("authorization") === "Bearer t1";
      if (isFirstToken) await new Promise<void>((resolve) => refusals.push(resolve));
      return await answer(input, init);
    };
    const clock = stillClock(start);
    const access = { kind: "app", appId: "99", privateKey, installation: 31 } as const;
    const forge = createGithubClient({ url: "https://api.test", access, clock, fetch });
    const both = [forge.fetchRepository("acme/tools"), forge.fetchRepository("acme/tools")];
    await vi.waitUntil(() => refusals.length === 2, patience);
    refusals[0]?.();
    await Promise.race(both);
    refusals[1]?.();
    await Promise.all(both);
    expect(tokensAsked(heard)).toHaveLength(2);
  });

  it("that is refused again and again is an error, not a loop", async () => {
    const { forge, heard } = connect(() => jsonAnswer({ message: "Bad credentials" }, { status: 401 }));
    await expect(forge.fetchRepository("acme/tools")).rejects.toMatchObject({ kind: "unauthorized" });
    expect(tokensAsked(heard)).toHaveLength(2);
  });

  it("that a write was refused with is dropped, and the write is not sent again", async () => {
    const { forge, heard } = connect(() => jsonAnswer({ message: "Bad credentials" }, { status: 401 }));
    for (let time = 0; time < 2; time++) {
      const made = forge.createComment({ pull, body: "Hello." });
      await expect(made).rejects.toMatchObject({ kind: "unauthorized", isApplied: "no" });
    }
    expect(heard.filter(({ path }) => path.endsWith("/comments"))).toHaveLength(2);
    expect(tokensAsked(heard)).toHaveLength(2);
  });

  it("comes from the installation that the repository has, where none was named", async () => {
    const { forge, heard } = connect(() => jsonAnswer({ id: 1 }), null);
    await forge.createComment({ pull, body: "One." });
    await forge.createComment({ pull, body: "Two." });
    expect(heard.map(({ path }) => path).slice(0, 2)).toEqual([
      "/repos/acme/tools/installation",
      "/app/installations/32/access_tokens",
    ]);
    expect(heard).toHaveLength(4);
  });

  it("comes from another installation once the first is gone", async () => {
    let installation = 32;
    const { fetch, heard } = scriptedFetch(({ path }) => {
      if (path.endsWith("/installation")) return jsonAnswer({ id: installation });
      if (path === "/app/installations/32/access_tokens") return jsonAnswer({ message: "Not Found" }, { status: 404 });
      if (path.endsWith("/access_tokens")) return jsonAnswer({ token: "t", expires_at: formatInstant(start) });
      return jsonAnswer({ id: 1 });
    });
    const clock = stillClock(start);
    const access = { kind: "app", appId: "99", privateKey, installation: null } as const;
    const forge = createGithubClient({ url: "https://api.test", access, clock, fetch });
    // Nobody may take the pull for gone.
    await expect(forge.createComment({ pull, body: "One." })).rejects.toMatchObject({ kind: "forbidden" });
    installation = 33;
    await forge.createComment({ pull, body: "Two." });
    expect(heard.map(({ path }) => path).at(-2)).toBe("/app/installations/33/access_tokens");
  });

  it("that took as long as a write may leaves the write certainly undone", async () => {
    let now = start;
    const { fetch, heard } = scriptedFetch(() => {
      now = after(now, githubLimits.writeTimeoutMs);
      return jsonAnswer({ token: "t", expires_at: formatInstant(after(start, hourMs)) });
    });
    const clock = { now: () => now, sleep: async () => undefined };
    const access = { kind: "app", appId: "99", privateKey, installation: 31 } as const;
    const forge = createGithubClient({ url: "https://api.test", access, clock, fetch });
    const made = forge.createComment({ pull, body: "Hello." });
    await expect(made).rejects.toMatchObject({ kind: "unavailable", isApplied: "no" });
    expect(heard.map(({ path }) => path)).toEqual(["/app/installations/31/access_tokens"]);
  });

  it("that cannot be had leaves a write certainly undone", async () => {
    const { fetch } = scriptedFetch(() => jsonAnswer({ message: "Not granted" }, { status: 422 }));
    const clock = stillClock(start);
    const access = { kind: "app", appId: "99", privateKey, installation: 31 } as const;
    const forge = createGithubClient({ url: "https://api.test", access, clock, fetch });
    const made = forge.createComment({ pull, body: "Hello." });
    await expect(made).rejects.toMatchObject({ kind: "forbidden", isApplied: "no" });
  });

  it("cannot be had with a key that is none", async () => {
    const { fetch, heard } = scriptedFetch(() => null);
    const clock = stillClock(start);
    const access = { kind: "app", appId: "99", privateKey: "none", installation: 31 } as const;
    const forge = createGithubClient({ url: "https://api.test", access, clock, fetch });
    const error: unknown = await forge.fetchIdentity().catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(ForgeError);
    expect(error).toMatchObject({ kind: "unauthorized" });
    expect(heard).toEqual([]);
  });
});

describe("an installation that is suspended", () => {
  const suspended = { id: 41, suspended_at: "2026-01-01T09:00:00Z" };

  it("is passed over: GitHub gives no tokens of it", async () => {
    const { forge, heard } = connect(({ path }) => {
      if (path.startsWith("/app/installations")) return jsonAnswer([suspended, { id: 42, suspended_at: null }]);
      return jsonAnswer({ id: 555, login: "drover[bot]", type: "Bot" });
    }, null);
    await forge.fetchIdentity();
    expect(heard.map(({ path }) => path)).toContain("/app/installations/42/access_tokens");
  });

  it("is passed over on a whole page, and the next page is not looked for where a link leads to another host", async () => {
    const { forge, heard } = connect(({ path }) => {
      const link = '<https://elsewhere.test/app/installations?page=2>; rel="next"';
      if (path.includes("&page=1")) return jsonAnswer([suspended], { headers: { link } });
      if (path.startsWith("/app/installations")) return jsonAnswer([{ id: 42, suspended_at: null }]);
      return jsonAnswer({ id: 555, login: "drover[bot]", type: "Bot" });
    }, null);
    await forge.fetchIdentity();
    expect(heard.map(({ path }) => path)).toContain("/app/installations/42/access_tokens");
    expect(new Set(heard.map(({ url }) => new URL(url).origin))).toEqual(new Set(["https://api.test"]));
  });

  it("leaves an App installed nowhere where there is no other", async () => {
    const { forge, heard } = connect(() => jsonAnswer([suspended]), null);
    await expect(forge.fetchIdentity()).rejects.toMatchObject({ kind: "not_found" });
    expect(tokensAsked(heard)).toEqual([]);
  });
});

describe("the bot of an App", () => {
  it("is looked up by its slug, with a token that can see next to nothing", async () => {
    const { forge, heard } = connect(({ path }) => {
      expect(path).toBe("/users/drover%5Bbot%5D");
      return jsonAnswer({ id: 555, login: "drover[bot]", type: "Bot" });
    });
    const { bot, capabilities } = await forge.fetchIdentity();
    expect(bot).toEqual({ id: "555", login: "drover[bot]", kind: "bot" });
    expect(capabilities.hasNeutralGate).toBe(true);
    expect(tokensAsked(heard)).toEqual([{ permissions: { metadata: "read" } }]);
  });
});
