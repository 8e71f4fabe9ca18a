// @module-tag crash

import { describe, expect, it } from "vitest";
import type { PullRef } from "#ports/pull-ref.ts";
import { dieAtEveryBoundary, quiet } from "#town/every-boundary.ts";
import { blankedComments, botComments, botReviews, botVerdict, gateOf, managedComments } from "#town/sights.ts";
import { manners, type Town } from "#town/town.ts";

const blocker = "export function words() {\n  debugger;\n}\n";
/** The simulation dies at each of them; a story at every other one. */
const sparing = { every: 2 };

async function opened(town: Town, text?: string): Promise<PullRef> {
  const pull = await town.open(text === undefined ? {} : { files: { "src/lexer.ts": text } });
  await town.settle();
  return pull;
}

function expectNothingTwice(town: Town, pull: PullRef): void {
  expect(blankedComments(town, pull)).toHaveLength(0);
  expect(managedComments(town, pull)).toHaveLength(1);
}

describe.each(manners)("a worker on a %s that dies while it publishes", (manner) => {
  it("withdraws an approval once, and requests changes once", async () => {
    await dieAtEveryBoundary(
      {
        options: { manner, rules: quiet },
        before: (town) => opened(town),
        after: (town, pull) => town.push(pull, { "src/lexer.ts": blocker }),
        check: (town, pull) => {
          expectNothingTwice(town, pull);
          // Dismissed by the look that sees the push, unless the head is read before the next look: then outweighed.
          expect(botReviews(town, pull)).toHaveLength(2);
          expect(botVerdict(town, pull)).toBe("request_changes");
          expect(botReviews(town, pull)[0]?.body).toMatch(/superseded/i);
          expect(town.look(pull).threads).toHaveLength(1);
          expect(gateOf(town, pull)).toBe("failure");
        },
      },
      sparing,
    );
  });

  it("loses no remark that is new in a review that only changes its words", async () => {
    await dieAtEveryBoundary(
      {
        options: { manner, rules: quiet },
        before: (town) => opened(town, blocker),
        after: (town, pull) => town.push(pull, { "src/other.ts": blocker }),
        check: (town, pull) => {
          expectNothingTwice(town, pull);
          const judging = botReviews(town, pull).filter(({ state }) => state !== "commented");
          expect(judging.map(({ state }) => state)).toEqual(["changes_requested"]);
          expect(judging[0]?.body).toContain("src/other.ts");
          expect(town.look(pull).threads.map(({ path }) => path)).toEqual(["src/lexer.ts", "src/other.ts"]);
        },
      },
      sparing,
    );
  });

  it("answers the thread of a fixed finding once, and resolves it where it can", async () => {
    await dieAtEveryBoundary(
      {
        options: { manner, rules: quiet },
        before: (town) => opened(town, blocker),
        after: (town, pull) => town.push(pull, { "src/lexer.ts": "export const words = 1;\n" }),
        check: (town, pull) => {
          expectNothingTwice(town, pull);
          const [thread] = town.look(pull).threads;
          expect(thread?.comments).toHaveLength(2);
          expect(thread?.isResolved).toBe(manner === "github");
          expect(gateOf(town, pull)).toBe("success");
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
        before: async (town) => {
          const pull = await town.open({ by: town.mia });
          await town.settle();
          return pull;
        },
        after: (town, pull) => town.as(town.rita).comment(pull, "Please add notes."),
        check: (town, pull) => {
          expectNothingTwice(town, pull);
          expect(botComments(town, pull).filter(({ body }) => body.includes("@ada"))).toHaveLength(1);
          const told = town.notices.filter(({ what }) => what.kind === "escalated");
          expect(new Set(told.map(({ key }) => key)).size).toBe(1);
        },
      },
      sparing,
    );
  });
});
