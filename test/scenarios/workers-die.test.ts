// @module-tag crash

import { describe, expect, it } from "vitest";
import { dieAtEveryBoundary, quiet } from "#harness/every-boundary.ts";
import { type Harness, manners } from "#harness/harness.ts";
import { blankedComments, botReviews, botWords, gateOf, managedComments, reactionsOn } from "#harness/sights.ts";
import type { PullRef } from "#ports/pull-ref.ts";

const blocked = { "src/lexer.ts": "export function words() {\n  debugger;\n}\n" };

async function opened(harness: Harness): Promise<PullRef> {
  const pull = await harness.open();
  await harness.settle();
  return pull;
}

describe.each(manners)("a worker on a %s that dies at any effect boundary", (manner) => {
  it("leaves one acknowledgement behind", async () => {
    const boundaries = await dieAtEveryBoundary({
      options: { manner, rules: quiet },
      before: opened,
      after: (harness, pull) => harness.as(harness.rita).comment(pull, "@drover status"),
      check: (harness, pull) => {
        const status = harness.look(pull).comments.find(({ author }) => author.id === harness.rita.id);
        expect(botWords(harness, pull)).toHaveLength(1);
        expect(status && reactionsOn(harness, pull, status.id)).toEqual(["+1"]);
        expect(blankedComments(harness, pull)).toHaveLength(0);
        expect(managedComments(harness, pull)).toHaveLength(1);
      },
    });
    expect(boundaries).toBeGreaterThan(10);
  });

  it("leaves one review behind, with each remark once, and the right gate", async () => {
    const boundaries = await dieAtEveryBoundary({
      options: { manner, rules: quiet },
      before: (harness) => harness.open({ files: blocked, isDraft: true }),
      after: (harness, pull) => harness.as(harness.ada).editPull(pull, { isDraft: false }),
      check: (harness, pull) => {
        expect(botReviews(harness, pull).map(({ state }) => state)).toEqual(["changes_requested"]);
        expect(harness.look(pull).threads.map(({ comments }) => comments.length)).toEqual([1]);
        expect(gateOf(harness, pull)).toBe("failure");
        expect(managedComments(harness, pull)).toHaveLength(1);
      },
    });
    expect(boundaries).toBeGreaterThan(30);
  });

  it("merges once and says so once", async () => {
    const boundaries = await dieAtEveryBoundary({
      options: { manner, rules: { ...quiet, merge: { when: "when_approved", requireCI: false } } },
      before: opened,
      after: async (harness, pull) => {
        await harness.clock.advance(1_000);
        await harness.as(harness.rita).review(pull, { event: "approve", body: "Fine." });
        await harness.clock.advance(1_000);
      },
      check: (harness, pull) => {
        expect(harness.look(pull).merged?.head).toBe(harness.headOf(pull));
        expect(harness.faults.callsOf("merge_pull")).toBe(1);
        const merged = harness.notices.filter(({ what }) => what.kind === "merged");
        expect(new Set(merged.map(({ key }) => key)).size).toBe(1);
      },
    });
    expect(boundaries).toBeGreaterThan(10);
  });
});
