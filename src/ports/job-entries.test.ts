import { describe, expect, it } from "vitest";
import { HeadSha, InstanceId, RepositoryId } from "#core/model/ids.ts";
import { instant } from "#core/model/instant.ts";
import { AbandonJobData, ReviewJobData, ReviewQueueData } from "#core/model/job.ts";
import { abandonEntry, readReviewEntry, reviewJobKey } from "#ports/job-entries.ts";
import { pullKeyOf } from "#ports/pull-ref.ts";

const instance = InstanceId.parse("forge.example");
const pull = { repository: { id: RepositoryId.parse("7"), name: "ada/shop" }, number: 3 };
const data = ReviewJobData.parse({
  pull,
  run: {
    head: HeadSha.parse("a".repeat(40)),
    baseBranch: "main",
    role: "general",
    trigger: { kind: "automatic" },
    round: 1,
    state: { kind: "running" },
    startedAt: instant(0),
  },
  attempt: 1,
});
const reviewKey = reviewJobKey(pullKeyOf(instance, pull), data.run);

describe("an entry of the queue of reviews", () => {
  it("is to review a head where it has no kind", () => {
    expect(readReviewEntry(instance, reviewKey, data)).toEqual({ kind: "review", data });
  });

  it("is to clear up after a run where its kind says so", () => {
    const { key, payload } = abandonEntry(instance, data, { at: null, priority: 3 });
    expect(AbandonJobData.parse(payload)).toEqual({ kind: "abandon", pull, run: data.run });
    expect(readReviewEntry(instance, key, ReviewQueueData.parse(payload))).toEqual(payload);
  });

  it("is to clear up after a run where the version before put it in", () => {
    const { key, payload } = abandonEntry(instance, data, { at: null, priority: 3 });
    expect(key).toBe(`${reviewKey}/drop`);
    expect(readReviewEntry(instance, key, data)).toEqual(payload);
  });
});
