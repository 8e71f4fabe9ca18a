// @module-tag crash

import { describe, expect, it } from "vitest";
import type { CommentId } from "#core/model/ids.ts";
import { minuteMs } from "#core/model/instant.ts";
import { reviewTextId } from "#core/model/review-text.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { botWords, managedComments, reactionsOn } from "#town/sights.ts";
import { buildTown, manners, type Town } from "#town/town.ts";

async function opened(town: Town): Promise<PullRef> {
  const pull = await town.open();
  await town.settle();
  await town.pass(minuteMs);
  return pull;
}

/** Rita says it as the text of a review. */
async function reviewsWith(town: Town, pull: PullRef, body: string): Promise<CommentId> {
  await town.as(town.rita).review(pull, { event: "comment", body });
  await town.pass(3 * minuteMs);
  const review = town.look(pull).reviews.findLast(({ author }) => author.id === town.rita.id);
  if (review === undefined) throw new Error("there is no review of rita's");
  return reviewTextId(review.id);
}

function isHeld(town: Town, pull: PullRef): boolean {
  return managedComments(town, pull)[0]?.body.includes("No hold | not held") === false;
}

describe.each(manners)("on a %s, a command in the text of a review", (manner) => {
  it("is acknowledged as any other, once", async () => {
    const town = await buildTown({ manner });
    const pull = await opened(town);
    const said = await reviewsWith(town, pull, "Not yet.\n\n@drover hold");
    expect(reactionsOn(town, pull, said)).toEqual(["+1"]);
    expect(botWords(town, pull)).toEqual([]);
    expect(isHeld(town, pull)).toBe(true);
    await town.pass(30 * minuteMs);
    expect(reactionsOn(town, pull, said)).toEqual(["+1"]);
  });

  it("that is malformed is answered with a reaction and words", async () => {
    const town = await buildTown({ manner });
    const pull = await opened(town);
    const said = await reviewsWith(town, pull, "@drover disable-reviews 4h");
    expect(reactionsOn(town, pull, said)).toEqual(["confused"]);
    expect(botWords(town, pull)).toEqual([expect.stringContaining("The form is")]);
  });

  it("is acknowledged in words, once, where no reaction can be set on it", async () => {
    const town = await buildTown({ manner, quirks: { reactsToReviews: false } });
    const pull = await opened(town);
    const said = await reviewsWith(town, pull, "@drover hold");
    await town.pass(30 * minuteMs);
    expect(reactionsOn(town, pull, said)).toEqual([]);
    expect(botWords(town, pull)).toEqual([expect.stringContaining("is obeyed")]);
    expect(isHeld(town, pull)).toBe(true);
    await town.loseDatabase();
    await town.pass(30 * minuteMs);
    expect(botWords(town, pull)).toHaveLength(1);
  });

  it("is acknowledged once through the loss of the database", async () => {
    const town = await buildTown({ manner });
    const pull = await opened(town);
    const said = await reviewsWith(town, pull, "@drover disable-reviews");
    await town.loseDatabase();
    await town.pass(30 * minuteMs);
    expect(reactionsOn(town, pull, said)).toEqual(["+1"]);
    expect(botWords(town, pull)).toEqual([]);
  });
});

describe.each(manners)("on a %s, a comment", (manner) => {
  it("that is edited into a command is acknowledged as any other", async () => {
    const town = await buildTown({ manner });
    const pull = await opened(town);
    const said = await town.as(town.rita).comment(pull, "Let us wait.");
    await town.pass(3 * minuteMs);
    await town.as(town.rita).editComment(pull, said, "@drover hold");
    await town.pass(3 * minuteMs);
    expect(reactionsOn(town, pull, said)).toEqual(["+1"]);
    expect(isHeld(town, pull)).toBe(true);
  });

  it("whose command is edited into another is not obeyed again, and its author is told once", async () => {
    const town = await buildTown({ manner });
    const pull = await opened(town);
    const said = await town.as(town.rita).comment(pull, "@drover hold");
    await town.pass(3 * minuteMs);
    await town.as(town.rita).editComment(pull, said, "@drover unhold");
    await town.pass(30 * minuteMs);
    expect(isHeld(town, pull)).toBe(true);
    expect(reactionsOn(town, pull, said)).toEqual(["+1"]);
    expect(botWords(town, pull)).toEqual([expect.stringContaining("Write the new command in a new comment")]);
    await town.loseDatabase();
    await town.pass(30 * minuteMs);
    expect(botWords(town, pull)).toHaveLength(1);
  });

  it.each(["- @drover review", "**@drover review**", "@drover[bot] review", "@drover hlep", "@drover reveiw"])(
    "that is almost a command gets one hint, and is not obeyed: %s",
    async (words) => {
      const town = await buildTown({ manner });
      const pull = await opened(town);
      const said = await town.as(town.rita).comment(pull, words);
      const strange = await town.as(town.otto).comment(pull, words);
      await town.pass(3 * minuteMs);
      expect([...reactionsOn(town, pull, said), ...reactionsOn(town, pull, strange)]).toEqual([]);
      expect(botWords(town, pull)).toEqual([expect.stringContaining("This was not taken as a command")]);
      await town.loseDatabase();
      await town.pass(30 * minuteMs);
      expect(botWords(town, pull)).toHaveLength(1);
      expect(town.notices.filter(({ what }) => what.kind === "escalated")).toEqual([]);
    },
  );
});
