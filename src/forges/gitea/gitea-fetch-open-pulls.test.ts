import { describe, expect, it } from "vitest";
import { RepositoryId } from "#core/model/ids.ts";
import { createGiteaClient } from "#forges/gitea/gitea-client.ts";
import { giteaLimits } from "#forges/gitea/gitea-limits.ts";
import { jsonAnswer, scriptedFetch } from "#testing/scripted-fetch.ts";
import { stillClock } from "#testing/still-clock.ts";

const repository = { id: RepositoryId.parse("7"), name: "mia/tools" };
const branch = { label: "parser", ref: "parser", sha: "a".repeat(40), repo_id: 7 };
const time = "2026-01-01T10:00:00Z";

function wirePull(number: number, change: object = {}): object {
  const pull = { number, title: "Add a parser", state: "open", merged: false, merge_commit_sha: null, user: null };
  return { ...pull, head: branch, base: branch, created_at: time, updated_at: time, ...change };
}

interface Shown {
  pulls: readonly unknown[];
  /** By the number of the pull. */
  readonly reactions: Map<number, readonly string[]>;
}

/** A server with these open pulls. */
function connect(shown: Shown) {
  const asked: number[] = [];
  const { fetch } = scriptedFetch(({ url }) => {
    const { pathname, searchParams } = new URL(url);
    const [page, limit] = [Number(searchParams.get("page")), Number(searchParams.get("limit"))];
    if (pathname.endsWith("/version")) return jsonAnswer({ version: "1.25.5" });
    if (pathname.endsWith("/settings/api")) return jsonAnswer({ max_response_items: 50 });
    if (pathname.endsWith("/status")) return jsonAnswer({ statuses: null });
    const number = Number(/issues\/(\d+)\/reactions/.exec(pathname)?.[1] ?? 0);
    if (number > 0) asked.push(number);
    const reactions = (shown.reactions.get(number) ?? []).map((content) => {
      return { user: { id: 5, login: "rita" }, content, created_at: time };
    });
    const all = number > 0 ? reactions : shown.pulls;
    const headers = { "x-total-count": String(all.length) };
    return jsonAnswer(all.slice((page - 1) * limit, page * limit), { headers });
  });
  const clock = stillClock(0);
  const forge = createGiteaClient({ url: "https://git.test", token: "t", clock, fetch });
  return { fetchOpen: () => forge.fetchOpenPulls(repository), asked };
}

function many(count: number): readonly object[] {
  return Array.from({ length: count }, (_, index) => wirePull(index + 1));
}

describe("open pulls of Gitea", () => {
  it("are all asked about where there are few, each time", async () => {
    const { fetchOpen, asked } = connect({ pulls: many(3), reactions: new Map() });
    await fetchOpen();
    await fetchOpen();
    expect(asked).toEqual([1, 2, 3, 1, 2, 3]);
  });

  it("have their turn where there are many, and nobody is left out for good", async () => {
    const count = 2 * giteaLimits.openPullsAskedMax + 20;
    const shown: Shown = { pulls: many(count), reactions: new Map() };
    const { fetchOpen, asked } = connect(shown);
    for (let turn = 0; turn < 3; turn++) expect(await fetchOpen()).toHaveLength(count);
    expect(asked).toHaveLength(3 * giteaLimits.openPullsAskedMax);
    expect(new Set(asked).size).toBe(count);
  });

  it("keep their digest between their turns, and change it when a reaction is seen", async () => {
    const count = giteaLimits.openPullsAskedMax + 1;
    const shown: Shown = { pulls: many(count), reactions: new Map() };
    const { fetchOpen } = connect(shown);
    const digestOfFirst = async () => (await fetchOpen()).find(({ pull }) => pull.number === 1)?.digest;
    const before = await digestOfFirst();
    shown.reactions.set(1, ["+1"]);
    const digests = [await digestOfFirst(), await digestOfFirst()];
    expect(digests.some((digest) => digest !== before)).toBe(true);
  });

  it("that cannot be read do not hide the others", async () => {
    const { fetchOpen } = connect({ pulls: [wirePull(1), { number: "?" }, null, wirePull(3)], reactions: new Map() });
    expect((await fetchOpen()).map(({ pull }) => pull.number)).toEqual([1, 3]);
  });

  it("of another repository that has the name by now are not ours", async () => {
    const pulls = [wirePull(1, { base: { ...branch, repo_id: 8 } })];
    await expect(connect({ pulls, reactions: new Map() }).fetchOpen()).rejects.toMatchObject({ kind: "not_found" });
  });
});
