import { expect, it } from "vitest";
import { reactionSignalId, reviewSignalId } from "#core/approval/signal-id.ts";
import { alice, aReaction, aReview, at } from "#testing/approval-makers.ts";

it("names a reaction by its author's id and its time, so that giving it again is another approval", () => {
  expect(reactionSignalId(aReaction("+1", alice, 5))).toBe(`reaction:id-of-alice:${at(5)}`);
  const renamed = { ...alice, login: "alice-the-second" };
  expect(reactionSignalId(aReaction("+1", renamed, 5))).toBe(reactionSignalId(aReaction("+1", alice, 5)));
  expect(reactionSignalId(aReaction("+1", alice, 6))).not.toBe(reactionSignalId(aReaction("+1", alice, 5)));
});

it("names a review by its id alone, whatever becomes of its state", () => {
  expect(reviewSignalId(aReview("approved", alice, 5, { id: "31" }))).toBe("review:31");
  expect(reviewSignalId(aReview("dismissed", alice, 5, { id: "31" }))).toBe("review:31");
});
