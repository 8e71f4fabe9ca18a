// @module-tag crash

import { describe, expect, it } from "vitest";
import type { CommentId } from "#core/model/ids.ts";
import { minuteMs } from "#core/model/instant.ts";
import { reviewTextId } from "#core/model/review-text.ts";
import { buildHarness, type Harness, manners } from "#harness/harness.ts";
import { botWords, managedComments, reactionsOn } from "#harness/sights.ts";
import type { PullRef } from "#ports/pull-ref.ts";

async function opened(harness: Harness): Promise<PullRef> {
  const pull = await harness.open();
  await harness.settle();
  await harness.pass(minuteMs);
  return pull;
}

/** Rita says it as the text of a review. */
async function reviewsWith(harness: Harness, pull: PullRef, body: string): Promise<CommentId> {
  await harness.as(harness.rita).review(pull, { event: "comment", body });
  await harness.pass(3 * minuteMs);
  const review = harness.look(pull).reviews.findLast(({ author }) => author.id === harness.rita.id);
  if (review === undefined) throw new Error("there is no review of rita's");
  return reviewTextId(review.id);
}

function isHeld(harness: Harness, pull: PullRef): boolean {
  return managedComments(harness, pull)[0]?.body.includes("No hold | not held") === false;
}

describe.each(manners)("on a %s, a command in the text of a review", (manner) => {
  it("is acknowledged once, as a command in a comment is", async () => {
    const harness = await buildHarness({ manner });
    const pull = await opened(harness);
    const said = await reviewsWith(harness, pull, "Not yet.\n\n@drover hold");
    expect(reactionsOn(harness, pull, said)).toEqual(["+1"]);
    expect(botWords(harness, pull)).toEqual([]);
    expect(isHeld(harness, pull)).toBe(true);
    await harness.pass(30 * minuteMs);
    expect(reactionsOn(harness, pull, said)).toEqual(["+1"]);
  });

  it("that is malformed is answered with a reaction and words", async () => {
    const harness = await buildHarness({ manner });
    const pull = await opened(harness);
    const said = await reviewsWith(harness, pull, "@drover disable-reviews 4h");
    expect(reactionsOn(harness, pull, said)).toEqual(["confused"]);
    expect(botWords(harness, pull)).toEqual([expect.stringContaining("The form is")]);
  });

  it("is acknowledged in words, once, where no reaction can be set on it", async () => {
    const harness = await buildHarness({ manner, quirks: { reactsToReviews: false } });
    const pull = await opened(harness);
    const said = await reviewsWith(harness, pull, "@drover hold");
    await harness.pass(30 * minuteMs);
    expect(reactionsOn(harness, pull, said)).toEqual([]);
    expect(botWords(harness, pull)).toEqual([expect.stringContaining("is obeyed")]);
    expect(isHeld(harness, pull)).toBe(true);
    await harness.loseDatabase();
    await harness.pass(30 * minuteMs);
    expect(botWords(harness, pull)).toHaveLength(1);
  });

  it("is acknowledged once through the loss of the database", async () => {
    const harness = await buildHarness({ manner });
    const pull = await opened(harness);
    const said = await reviewsWith(harness, pull, "@drover disable-reviews");
    await harness.loseDatabase();
    await harness.pass(30 * minuteMs);
    expect(reactionsOn(harness, pull, said)).toEqual(["+1"]);
    expect(botWords(harness, pull)).toEqual([]);
  });
});

describe.each(manners)("on a %s, a comment", (manner) => {
  it("that is edited into a command is acknowledged as one that was written at once", async () => {
    const harness = await buildHarness({ manner });
    const pull = await opened(harness);
    const said = await harness.as(harness.rita).comment(pull, "Let us wait.");
    await harness.pass(3 * minuteMs);
    await harness.as(harness.rita).editComment(pull, said, "@drover hold");
    await harness.pass(3 * minuteMs);
    expect(reactionsOn(harness, pull, said)).toEqual(["+1"]);
    expect(isHeld(harness, pull)).toBe(true);
  });

  it("whose command is edited into another is not obeyed again, and its author is told once", async () => {
    const harness = await buildHarness({ manner });
    const pull = await opened(harness);
    const said = await harness.as(harness.rita).comment(pull, "@drover hold");
    await harness.pass(3 * minuteMs);
    await harness.as(harness.rita).editComment(pull, said, "@drover unhold");
    await harness.pass(30 * minuteMs);
    expect(isHeld(harness, pull)).toBe(true);
    expect(reactionsOn(harness, pull, said)).toEqual(["+1"]);
    expect(botWords(harness, pull)).toEqual([expect.stringContaining("Write the new command in a new comment")]);
    await harness.loseDatabase();
    await harness.pass(30 * minuteMs);
    expect(botWords(harness, pull)).toHaveLength(1);
  });

  it.each(["- @drover review", "**@drover review**", "@drover[bot] review", "@drover hlep", "@drover reveiw"])(
    "that is almost a command gets one hint, and is not obeyed: %s",
    async (words) => {
      const harness = await buildHarness({ manner });
      const pull = await opened(harness);
      const said = await harness.as(harness.rita).comment(pull, words);
      const strange = await harness.as(harness.otto).comment(pull, words);
      await harness.pass(3 * minuteMs);
      expect([...reactionsOn(harness, pull, said), ...reactionsOn(harness, pull, strange)]).toEqual([]);
      expect(botWords(harness, pull)).toEqual([expect.stringContaining("This was not taken as a command")]);
      await harness.loseDatabase();
      await harness.pass(30 * minuteMs);
      expect(botWords(harness, pull)).toHaveLength(1);
      expect(harness.notices.filter(({ what }) => what.kind === "escalated")).toEqual([]);
    },
  );
});
