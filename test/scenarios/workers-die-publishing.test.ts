// @module-tag crash

import { describe, expect, it } from "vitest";
import { dieAtEveryBoundary, quiet } from "#harness/every-boundary.ts";
import { type Harness, manners } from "#harness/harness.ts";
import { blankedComments, botComments, botReviews, botVerdict, gateOf, managedComments } from "#harness/sights.ts";
import type { PullRef } from "#ports/pull-ref.ts";

const blocker = "export function words() {\n  debugger;\n}\n";
/** The simulation dies at each of them; a story at every other one. */
const sparing = { every: 2 };

async function opened(harness: Harness, text?: string): Promise<PullRef> {
  const pull = await harness.open(text === undefined ? {} : { files: { "src/lexer.ts": text } });
  await harness.settle();
  return pull;
}

function expectNothingTwice(harness: Harness, pull: PullRef): void {
  expect(blankedComments(harness, pull)).toHaveLength(0);
  expect(managedComments(harness, pull)).toHaveLength(1);
}

describe.each(manners)("a worker on a %s that dies while it publishes", (manner) => {
  it("withdraws an approval once, and requests changes once", async () => {
    await dieAtEveryBoundary(
      {
        options: { manner, rules: quiet },
        before: (harness) => opened(harness),
        after: (harness, pull) => harness.push(pull, { "src/lexer.ts": blocker }),
        check: (harness, pull) => {
          expectNothingTwice(harness, pull);
          // Dismissed by the look that sees the push, unless the head is read before the next look: then outweighed.
          expect(botReviews(harness, pull)).toHaveLength(2);
          expect(botVerdict(harness, pull)).toBe("request_changes");
          expect(botReviews(harness, pull)[0]?.body).toMatch(/superseded/i);
          expect(harness.look(pull).threads).toHaveLength(1);
          expect(gateOf(harness, pull)).toBe("failure");
        },
      },
      sparing,
    );
  });

  it("loses no remark that is new in a review that only changes its words", async () => {
    await dieAtEveryBoundary(
      {
        options: { manner, rules: quiet },
        before: (harness) => opened(harness, blocker),
        after: (harness, pull) => harness.push(pull, { "src/other.ts": blocker }),
        check: (harness, pull) => {
          expectNothingTwice(harness, pull);
          const judging = botReviews(harness, pull).filter(({ state }) => state !== "commented");
          expect(judging.map(({ state }) => state)).toEqual(["changes_requested"]);
          expect(judging[0]?.body).toContain("src/other.ts");
          expect(harness.look(pull).threads.map(({ path }) => path)).toEqual(["src/lexer.ts", "src/other.ts"]);
        },
      },
      sparing,
    );
  });

  it("answers the thread of a fixed finding once, and resolves it where it can", async () => {
    await dieAtEveryBoundary(
      {
        options: { manner, rules: quiet },
        before: (harness) => opened(harness, blocker),
        after: (harness, pull) => harness.push(pull, { "src/lexer.ts": "export const words = 1;\n" }),
        check: (harness, pull) => {
          expectNothingTwice(harness, pull);
          const [thread] = harness.look(pull).threads;
          expect(thread?.comments).toHaveLength(2);
          expect(thread?.isResolved).toBe(manner === "github");
          expect(gateOf(harness, pull)).toBe("success");
        },
      },
      sparing,
    );
  });

  it("calls people once, on the forge and beside it", async () => {
    await dieAtEveryBoundary(
      {
        options: {
          manner,
          rules: { ...quiet, humans: ["ada"], fix: { onFeedback: true, quietMs: 0, attemptsMax: 1 } },
          agent: () => ({
            run: async () => ({ kind: "failed", why: "it fell over", retryAt: null, costMicroUsd: 10 }),
          }),
        },
        before: async (harness) => {
          const pull = await harness.open({ by: harness.mia });
          await harness.settle();
          return pull;
        },
        after: (harness, pull) => harness.as(harness.rita).comment(pull, "Please add notes."),
        check: (harness, pull) => {
          expectNothingTwice(harness, pull);
          expect(botComments(harness, pull).filter(({ body }) => body.includes("@ada"))).toHaveLength(1);
          const told = harness.notices.filter(({ what }) => what.kind === "escalated");
          expect(new Set(told.map(({ key }) => key)).size).toBe(1);
        },
      },
      sparing,
    );
  });
});
