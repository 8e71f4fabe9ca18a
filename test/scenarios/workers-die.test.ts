// @module-tag crash

import { describe, expect, it } from "vitest";
import type { PullRef } from "#ports/pull-ref.ts";
import { dieAtEveryBoundary, quiet } from "#town/every-boundary.ts";
import { blankedComments, botReviews, botWords, gateOf, managedComments, reactionsOn } from "#town/sights.ts";
import { manners, type Town } from "#town/town.ts";

const blocked = { "src/lexer.ts": "export function words() {\n  debugger;\n}\n" };

async function opened(town: Town): Promise<PullRef> {
  const pull = await town.open();
  await town.settle();
  return pull;
}

describe.each(manners)("a worker on a %s that dies at any effect boundary", (manner) => {
  it("leaves one acknowledgement behind", async () => {
    const boundaries = await dieAtEveryBoundary({
      options: { manner, rules: quiet },
      before: opened,
      after: (town, pull) => town.as(town.rita).comment(pull, "@drover status"),
      check: (town, pull) => {
        const status = town.look(pull).comments.find(({ author }) => author.id === town.rita.id);
        expect(botWords(town, pull)).toHaveLength(1);
        expect(status && reactionsOn(town, pull, status.id)).toEqual(["+1"]);
        expect(blankedComments(town, pull)).toHaveLength(0);
        expect(managedComments(town, pull)).toHaveLength(1);
      },
    });
    expect(boundaries).toBeGreaterThan(10);
  });

  it("leaves one review behind, with each remark once, and the right gate", async () => {
    const boundaries = await dieAtEveryBoundary({
      options: { manner, rules: quiet },
      before: (town) => town.open({ files: blocked, isDraft: true }),
      after: (town, pull) => town.as(town.ada).editPull(pull, { isDraft: false }),
      check: (town, pull) => {
        expect(botReviews(town, pull).map(({ state }) => state)).toEqual(["changes_requested"]);
        expect(town.look(pull).threads.map(({ comments }) => comments.length)).toEqual([1]);
        expect(gateOf(town, pull)).toBe("failure");
        expect(managedComments(town, pull)).toHaveLength(1);
      },
    });
    expect(boundaries).toBeGreaterThan(30);
  });

  it("merges once and says so once", async () => {
    const boundaries = await dieAtEveryBoundary({
      options: { manner, rules: { ...quiet, merge: { when: "when_approved", requireCI: false } } },
      before: opened,
      after: async (town, pull) => {
        await town.clock.advance(1_000);
        await town.as(town.rita).review(pull, { event: "approve", body: "Fine." });
        await town.clock.advance(1_000);
      },
      check: (town, pull) => {
        expect(town.look(pull).merged?.head).toBe(town.headOf(pull));
        expect(town.faults.callsOf("merge_pull")).toBe(1);
        const merged = town.notices.filter(({ what }) => what.kind === "merged");
        expect(new Set(merged.map(({ key }) => key)).size).toBe(1);
      },
    });
    expect(boundaries).toBeGreaterThan(10);
  });
});
