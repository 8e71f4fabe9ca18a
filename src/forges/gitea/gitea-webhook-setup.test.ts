import { describe, expect, it } from "vitest";
import { ensureGiteaWebhook, giteaHookEvents, type WebhookSetupOutcome } from "#forges/gitea/gitea-webhook-setup.ts";
import { jsonAnswer, type ScriptedFetch, scriptedFetch } from "#testing/scripted-fetch.ts";
import { stillClock } from "#testing/still-clock.ts";

const target = "https://drover.example/webhooks/gitea";

interface KeptHook {
  readonly id: number;
  readonly config: { readonly url: string; readonly content_type: string; readonly secret?: string };
}

/** A repository's hooks as Gitea keeps them: pages of two, and secrets that nobody is told. */
function openHooks(...urls: readonly string[]): ScriptedFetch & { readonly hooks: readonly KeptHook[] } {
  let hooks: readonly KeptHook[] = urls.map((url, index) => ({ id: index + 1, config: { url, content_type: "json" } }));
  let last = hooks.length;
  const scripted = scriptedFetch(({ method, path, url, body }) => {
    if (method === "GET") {
      const page = Number(new URL(url).searchParams.get("page"));
      return jsonAnswer(hooks.slice(2 * page - 2, 2 * page));
    }
    if (method === "DELETE") {
      hooks = hooks.filter(({ id }) => !path.endsWith(`/hooks/${id}`));
      return new Response(null, { status: 204 });
    }
    last += 1;
    hooks = [...hooks, { id: last, ...readBody(body) }];
    return jsonAnswer({ id: last, config: { url: target, content_type: "json" } }, { status: 201 });
  });
  return {
    ...scripted,
    get hooks() {
      return hooks;
    },
  };
}

function readBody(body: unknown): Omit<KeptHook, "id"> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the assertions of each test look at all of it.
  return body as Omit<KeptHook, "id">;
}

async function ensure(fetch: typeof globalThis.fetch): Promise<WebhookSetupOutcome> {
  const clock = stillClock(0);
  const place = { url: "https://git.example", token: "t0ken", repository: "acme/tools", clock };
  return await ensureGiteaWebhook({ ...place, target, secret: "s3cret", fetch });
}

describe("the webhook of a repository", () => {
  it("is made with its secret, for everything about pulls", async () => {
    const world = openHooks();
    expect(await ensure(world.fetch)).toEqual({ kind: "made", id: 1 });
    const config = { url: target, content_type: "json", secret: "s3cret" };
    expect(world.hooks).toEqual([{ id: 1, type: "gitea", active: true, config, events: giteaHookEvents }]);
    expect(world.heard.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "GET /api/v1/repos/acme/tools/hooks?page=1&limit=50",
      "POST /api/v1/repos/acme/tools/hooks",
    ]);
    expect(world.heard.map(({ headers }) => headers.get("authorization"))).toEqual(["token t0ken", "token t0ken"]);
  });

  it("is there once, however often it is asked for, and others stay", async () => {
    const world = openHooks("https://other.example", target, "https://third.example", target);
    expect(await ensure(world.fetch)).toEqual({ kind: "replaced", id: 5 });
    expect(await ensure(world.fetch)).toEqual({ kind: "replaced", id: 6 });
    expect(world.hooks.map(({ id, config }) => [id, config.url])).toEqual([
      [1, "https://other.example"],
      [3, "https://third.example"],
      [6, target],
    ]);
  });

  it("comes before the one that it replaces goes, so that there is always one", async () => {
    const world = openHooks(target);
    await ensure(world.fetch);
    expect(world.heard.map(({ method }) => method)).toEqual(["GET", "GET", "POST", "DELETE"]);
  });

  it.each([
    [401, "does not know the token"],
    [403, "has to administer the repository"],
    [404, "no such repository"],
    [422, "422 no"],
  ])("is refused with words: %i", async (status, words) => {
    const { fetch, heard } = scriptedFetch(() => jsonAnswer({ message: "no" }, { status }));
    const made = await ensure(fetch);
    expect(made).toEqual({ kind: "refused", why: expect.stringContaining(words) });
    expect(heard.some(({ method }) => method !== "GET")).toBe(false);
  });
});
