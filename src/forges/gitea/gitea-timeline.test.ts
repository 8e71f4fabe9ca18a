import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RepositoryId } from "#core/model/ids.ts";
import { instant } from "#core/model/instant.ts";
import type { Caller } from "#forges/gitea/gitea-call.ts";
import { giteaLimits } from "#forges/gitea/gitea-limits.ts";
import { type GiteaPull, GiteaPull as PullShape } from "#forges/gitea/gitea-schema.ts";
import { basedSince, fetchTimeline, pushedAt, type Timeline } from "#forges/gitea/gitea-timeline.ts";
import { stillClock } from "#testing/still-clock.ts";

const pull = { repository: { id: RepositoryId.parse("1"), name: "mia/tools" }, number: 3 };
const time = "2026-01-01T10:00:00Z";
const headers = new Headers({ "x-total-count": "1" });
const nothing = { comments: [], reviews: [] };

function entry(id: number, change: object = {}): object {
  return {
    id,
    type: "comment",
    user: { id: 7, login: "rita" },
    body: "Hm.",
    created_at: time,
    updated_at: time,
    ...change,
  };
}

/** A server that cuts pages in rows and then leaves the hidden ones out. */
function serving(rows: readonly ("shown" | "hidden")[], pageSize: number): { caller: Caller; asked: () => number } {
  let count = 0;
  const caller: Caller = {
    clock: stillClock(0),
    onSpent: () => undefined,
    send: async ({ query }) => {
      count += 1;
      const page = Number(query["page"]);
      const size = Math.min(Number(query["limit"]), pageSize);
      const cut = rows.map((row, index) => ({ row, id: index + 1 })).slice((page - 1) * size, page * size);
      const shown = cut.filter(({ row }) => row === "shown").map(({ id }) => entry(id));
      const data = shown.length === 0 ? null : shown;
      return { kind: "answered", status: 200, headers, data, askedAt: instant(0), heardAt: instant(0) };
    },
  };
  return { caller, asked: () => count };
}

describe("reading the timeline", () => {
  it("finds every entry behind pages that are short or empty, whatever the size of a page", async () => {
    const row = fc.constantFrom("shown", "hidden");
    const runs = fc.array(fc.tuple(row, fc.integer({ min: 1, max: 120 })), { maxLength: 6 });
    const sizes = fc.integer({ min: giteaLimits.pageSizeMin, max: 50 });
    const unseen = fc.nat({ max: giteaLimits.hiddenRowsMax });
    await fc.assert(
      fc.asyncProperty(runs, sizes, fc.boolean(), unseen, async (made, size, isTold, few) => {
        const rows = made.flatMap(([kind, count]) => Array.from({ length: count }, () => kind));
        const hidden = rows.filter((kind) => kind === "hidden").length;
        const remarks = Math.max(0, hidden - few);
        const { caller } = serving(rows, size);
        const pageSize = isTold ? size : null;
        const found = await fetchTimeline({ caller, pull, pageSize, remarks, awaited: nothing, manner: "read" });
        expect(found.entries).toHaveLength(rows.length - hidden);
        expect(found.isCut).toBe(false);
      }),
    );
  });

  it.each([50, 10])("finds what is known to be there behind rows that nobody told of, %i on a page", async (size) => {
    const rows = ["shown" as const, ...Array.from({ length: 400 }, () => "hidden" as const), "shown" as const];
    const { caller } = serving(rows, size);
    const awaited = { comments: ["1", "402"], reviews: [] };
    const found = await fetchTimeline({ caller, pull, pageSize: size, remarks: 0, awaited, manner: "read" });
    expect(found.entries.map(({ id }) => id)).toEqual(["1", "402"]);
    expect(found.isCut).toBe(false);
  });

  it("counts as cut where something is not found that is known to be there", async () => {
    const { caller } = serving(["shown"], 50);
    const awaited = { comments: ["1"], reviews: ["77"] };
    const found = await fetchTimeline({ caller, pull, pageSize: 50, remarks: 0, awaited, manner: "read" });
    expect(found.isCut).toBe(true);
    expect([pushedAt(found, first), basedSince(found, onto("main"))]).toEqual([null, null]);
  });

  it("asks once where little was said", async () => {
    const { caller, asked } = serving(["shown", "shown", "hidden"], 50);
    await fetchTimeline({ caller, pull, pageSize: 50, remarks: 1, awaited: nothing, manner: "read" });
    expect(asked()).toBe(1);
  });
});

function timelineOf(entries: readonly (object | null)[]): Promise<Timeline> {
  const caller: Caller = {
    ...serving([], 50).caller,
    send: async ({ query }) => ({
      kind: "answered",
      status: 200,
      headers,
      data: query["page"] === 1 ? entries : null,
      askedAt: instant(0),
      heardAt: instant(0),
    }),
  };
  return fetchTimeline({ caller, pull, pageSize: 50, remarks: 0, awaited: nothing, manner: "read" });
}

const [first, second] = ["1".repeat(40), "2".repeat(40)];

function push(id: number, commits: readonly string[], created_at = time): object {
  const body = JSON.stringify({ is_force_push: false, commit_ids: commits });
  return entry(id, { type: "pull_push", body, created_at });
}

describe("what the timeline tells", () => {
  it("is read around entries of other kinds, however they look", async () => {
    const { entries } = await timelineOf([null, { type: "label" }, { type: "new kind", id: "x" }, entry(4)]);
    expect(entries.map(({ id }) => id)).toEqual(["4"]);
  });

  it("is not read at all where something that was said cannot be", async () => {
    await expect(timelineOf([entry(1), { ...entry(2), created_at: "yesterday" }])).rejects.toMatchObject({
      name: "ForgeError",
      kind: "malformed",
    });
  });

  it("has the time of the push that ended at the head, and none of another", async () => {
    const later = "2026-01-01T10:05:00Z";
    const timeline = await timelineOf([push(1, [first]), push(2, [first, second], later)]);
    expect(pushedAt(timeline, second)).toBe(Date.parse(later));
    expect(pushedAt(timeline, first)).toBeNull();
    expect(pushedAt(await timelineOf([entry(1)]), first)).toBeNull();
    expect(pushedAt(await timelineOf([entry(1, { type: "pull_push", body: "?" })]), first)).toBeNull();
  });

  it("has the time at which the pull was pointed at its base", async () => {
    const moved = await timelineOf([entry(1, { type: "change_target_branch", new_ref: "release" })]);
    expect(basedSince(moved, onto("release"))).toBe(Date.parse(time));
    expect(basedSince(moved, onto("main"))).toBeNull();
    expect(basedSince(await timelineOf([]), onto("main"))).toBe(Date.parse("2025-12-31T00:00:00Z"));
  });
});

function onto(base: string): GiteaPull {
  const branch = { label: "parser", ref: "parser", sha: second, repo_id: 1 };
  return PullShape.parse({
    number: 3,
    title: "Add a parser",
    user: null,
    state: "open",
    merged: false,
    merge_commit_sha: null,
    mergeable: true,
    head: branch,
    base: { ...branch, label: base, ref: base },
    created_at: "2025-12-31T00:00:00Z",
    updated_at: time,
  });
}
