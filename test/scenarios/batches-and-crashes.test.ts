// @module-tag crash

import { describe, expect, inject, it } from "vitest";
import { providerManners } from "#batch-providers/batch-provider.ts";
import { requestMicroUsd } from "#batch-providers/provider-model.ts";
import { hourMs, minuteMs } from "#core/model/instant.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { dieAtEveryBoundary, type Tale } from "#town/every-boundary.ts";
import { botReviews, gateOf, managedComments } from "#town/sights.ts";
import type { Town } from "#town/town.ts";
import { batchTown, changed, recordedCost } from "./batch-town.ts";

/** Each of these lives takes an hour, and seconds on a database: there some are told, and none looks like another. */
const every = inject("townEngine") === "memory" ? 1 : 4;

/** So that each of the many lives is told in minutes. */
const quick = { takesMs: 2 * minuteMs };

async function draft(town: Town): Promise<PullRef> {
  return await town.open({ files: changed, isDraft: true });
}

describe.each(providerManners)("a worker that dies at any boundary of a review by batch from %s", (provider) => {
  it("leaves one submission for each stage, one review and one charge behind", async () => {
    const made = batchTown({ provider, room: quick });
    let recorded = 0;
    const tale: Tale = {
      options: made.options,
      before: draft,
      after: async (town, pull) => {
        await town.as(town.ada).editPull(pull, { isDraft: false });
        await town.pass(45 * minuteMs);
        recorded = await recordedCost(town, pull);
      },
      check: (town, pull) => {
        expect(made.provider().room.batches.map(({ requests }) => requests.length)).toEqual([1, 1]);
        expect(made.provider().room.batches.filter(({ cancelledAt }) => cancelledAt !== null)).toEqual([]);
        expect(made.provider().liveCalls).toEqual([]);
        expect(botReviews(town, pull).map(({ state }) => state)).toEqual(["changes_requested"]);
        expect(town.look(pull).threads.map(({ comments }) => comments.length)).toEqual([1]);
        expect(gateOf(town, pull)).toBe("failure");
        expect(managedComments(town, pull)).toHaveLength(1);
        expect([recorded, made.spent()]).toEqual([2 * requestMicroUsd, 2 * requestMicroUsd]);
      },
    };
    const boundaries = await dieAtEveryBoundary(tale, { every });
    expect(boundaries).toBeGreaterThan(40);
  });

  it("leaves one cancelled batch and its price behind, and no review, when it is cancelled", async () => {
    const made = batchTown({ provider, rules: { reviews: { automatic: "disabled" } } });
    let recorded = 0;
    const boundaries = await dieAtEveryBoundary({
      options: made.options,
      before: async (town) => {
        const pull = await draft(town);
        await town.as(town.rita).comment(pull, "@drover review");
        return pull;
      },
      after: async (town, pull) => {
        await town.as(town.rita).comment(pull, "@drover cancel");
        await town.pass(2 * hourMs);
        recorded = await recordedCost(town, pull);
      },
      check: (town, pull) => {
        const { room } = made.provider();
        expect(room.batches.map(({ cancelledAt }) => cancelledAt !== null)).toEqual([true]);
        expect(botReviews(town, pull)).toEqual([]);
        expect([recorded, made.spent()]).toEqual([room.billed() * requestMicroUsd, room.billed() * requestMicroUsd]);
        expect(room.billed()).toBe(1);
      },
    });
    expect(boundaries).toBeGreaterThan(10);
  });
});
