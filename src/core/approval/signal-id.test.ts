import { expect, it } from "vitest";
import { reactionSignalId, reviewSignalId } from "#core/approval/signal-id.ts";
import { alice, aReactionAt, aReviewAt, atSecond } from "#testing/approval-makers.ts";

it("the id of a reaction is its author's id and its time, so a reaction that is given again is another approval", () => {
  expect(reactionSignalId(aReactionAt("+1", alice, 5))).toBe(`reaction:id-of-alice:${atSecond(5)}`);
  const renamed = { ...alice, login: "alice-the-second" };
  expect(reactionSignalId(aReactionAt("+1", renamed, 5))).toBe(reactionSignalId(aReactionAt("+1", alice, 5)));
  expect(reactionSignalId(aReactionAt("+1", alice, 6))).not.toBe(reactionSignalId(aReactionAt("+1", alice, 5)));
});

it("the id of a review stays the same when its state changes", () => {
  expect(reviewSignalId(aReviewAt("approved", alice, 5, { id: "31" }))).toBe("review:31");
  expect(reviewSignalId(aReviewAt("dismissed", alice, 5, { id: "31" }))).toBe("review:31");
});
