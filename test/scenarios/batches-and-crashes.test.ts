// @module-tag crash

import { describe, expect, inject, it } from "vitest";
import { providerManners } from "#batch-providers/batch-provider.ts";
import { requestMicroUsd } from "#batch-providers/provider-model.ts";
import { hourMs, minuteMs } from "#core/model/instant.ts";
import { dieAtEveryBoundary, type Tale } from "#harness/every-boundary.ts";
import type { Harness } from "#harness/harness.ts";
import { botReviews, gateOf, managedComments } from "#harness/sights.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { batchHarness, changed, recordedCost } from "./batch-harness.ts";

/** Each of these lives takes an hour, and seconds on a database: there some are told, and none looks like another. */
const every = inject("harnessEngine") === "memory" ? 1 : 4;

/** So that each of the many lives is told in minutes. */
const quick = { takesMs: 2 * minuteMs };

async function draft(harness: Harness): Promise<PullRef> {
  return await harness.open({ files: changed, isDraft: true });
}

describe.each(providerManners)("a worker that dies at any boundary of a review by batch from %s", (provider) => {
  it("leaves one submission for each stage, one review and one charge behind", async () => {
    const made = batchHarness({ provider, room: quick });
    let recorded = 0;
    const tale: Tale = {
      options: made.options,
      before: draft,
      after: async (harness, pull) => {
        await harness.as(harness.ada).editPull(pull, { isDraft: false });
        await harness.pass(45 * minuteMs);
        recorded = await recordedCost(harness, pull);
      },
      check: (harness, pull) => {
        expect(made.provider().room.batches.map(({ requests }) => requests.length)).toEqual([1, 1]);
        expect(made.provider().room.batches.filter(({ cancelledAt }) => cancelledAt !== null)).toEqual([]);
        expect(made.provider().liveCalls).toEqual([]);
        expect(botReviews(harness, pull).map(({ state }) => state)).toEqual(["changes_requested"]);
        expect(harness.look(pull).threads.map(({ comments }) => comments.length)).toEqual([1]);
        expect(gateOf(harness, pull)).toBe("failure");
        expect(managedComments(harness, pull)).toHaveLength(1);
        expect([recorded, made.spent()]).toEqual([2 * requestMicroUsd, 2 * requestMicroUsd]);
      },
    };
    const boundaries = await dieAtEveryBoundary(tale, { every });
    expect(boundaries).toBeGreaterThan(40);
  });

  it("leaves one cancelled batch and its price behind, and no review, when it is cancelled", async () => {
    const made = batchHarness({ provider, rules: { reviews: { automatic: "disabled" } } });
    let recorded = 0;
    const boundaries = await dieAtEveryBoundary({
      options: made.options,
      before: async (harness) => {
        const pull = await draft(harness);
        await harness.as(harness.rita).comment(pull, "@drover review");
        return pull;
      },
      after: async (harness, pull) => {
        await harness.as(harness.rita).comment(pull, "@drover cancel");
        await harness.pass(2 * hourMs);
        recorded = await recordedCost(harness, pull);
      },
      check: (harness, pull) => {
        const { room } = made.provider();
        expect(room.batches.map(({ cancelledAt }) => cancelledAt !== null)).toEqual([true]);
        expect(botReviews(harness, pull)).toEqual([]);
        expect([recorded, made.spent()]).toEqual([room.billed() * requestMicroUsd, room.billed() * requestMicroUsd]);
        expect(room.billed()).toBe(1);
      },
    });
    expect(boundaries).toBeGreaterThan(10);
  });
});
