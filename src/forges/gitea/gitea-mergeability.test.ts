import { describe, expect, it } from "vitest";
import { RepositoryId } from "#core/model/ids.ts";
import { instant, minuteMs, secondMs } from "#core/model/instant.ts";
import { createReadMergeability } from "#forges/gitea/gitea-mergeability.ts";
import { GiteaPull } from "#forges/gitea/gitea-schema.ts";

const ref = { repository: { id: RepositoryId.parse("1"), name: "mia/tools" }, number: 3 };
const start = Date.parse("2026-01-01T10:00:00Z");

function aPull(change: object = {}): GiteaPull {
  const branch = { label: "parser", ref: "parser", sha: "1".repeat(40), repo_id: 1 };
  return GiteaPull.parse({
    number: 3,
    title: "Add a parser",
    user: null,
    state: "open",
    merged: false,
    merge_commit_sha: null,
    mergeable: false,
    head: branch,
    base: { ...branch, label: "main", ref: "main" },
    created_at: "2026-01-01T10:00:00Z",
    updated_at: "2026-01-01T10:00:00Z",
    ...change,
  });
}

/** Looks after so many milliseconds. */
function looking() {
  const read = createReadMergeability();
  return (afterMs: number, change: object = {}, pushedMs: number | null = 0) =>
    read({
      ref,
      pull: aPull(change),
      pushedAt: pushedMs === null ? null : instant(start + pushedMs),
      now: instant(start + afterMs),
    }).kind;
}

describe("whether a pull can be merged", () => {
  it("is believed at once where Gitea says yes", () => {
    expect(looking()(0, { mergeable: true })).toBe("mergeable");
  });

  it("is unknown after a push, and a conflict when there was time to look", () => {
    const look = looking();
    expect(look(5 * secondMs)).toBe("unknown");
    expect(look(minuteMs)).toBe("conflicting");
    expect(look(minuteMs + 5 * secondMs, {}, minuteMs)).toBe("unknown");
  });

  it("is unknown for a while after the last change where the push is not told", () => {
    expect(looking()(5 * secondMs, {}, null)).toBe("unknown");
    expect(looking()(minuteMs, {}, null)).toBe("conflicting");
  });

  it("is unknown again when the base has moved", () => {
    const look = looking();
    const base = { label: "main", ref: "main", sha: "2".repeat(40), repo_id: 1 };
    expect(look(minuteMs)).toBe("conflicting");
    expect(look(2 * minuteMs, { base })).toBe("unknown");
    expect(look(2 * minuteMs + 5 * secondMs, { base })).toBe("unknown");
    expect(look(3 * minuteMs, { base })).toBe("conflicting");
  });

  it("is not told of drafts, nor of what is closed", () => {
    expect(looking()(minuteMs, { draft: true })).toBe("unknown");
    expect(looking()(minuteMs, { title: "wip: a parser" })).toBe("unknown");
    expect(looking()(minuteMs, { state: "closed", mergeable: true })).toBe("unknown");
  });
});
