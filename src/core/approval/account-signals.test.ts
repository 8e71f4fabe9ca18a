import { expect, it } from "vitest";
import { reactionSignalId, reviewSignalId, signalsByAccount } from "#core/approval/account-signals.ts";
import { alice, aReactionAt, aReviewAt, atSecond, bob } from "#testing/approval-makers.ts";

it("gathers by account what was said by signs, each sign once", () => {
  const thumb = aReactionAt("+1", alice, 5);
  const eyes = aReactionAt("eyes", alice, 5);
  const approval = aReviewAt("approved", alice, 6, { id: "1" });
  const denial = aReviewAt("changes_requested", bob, 7);
  const voices = signalsByAccount({ reviews: [approval, denial, approval], reactions: [thumb, eyes, thumb] });
  expect(voices.map((voice) => voice.account)).toEqual([alice, bob]);
  expect(voices[0]?.approvals.map((signal) => signal.id)).toEqual(["review:1", `reaction:id-of-alice:${atSecond(5)}`]);
  expect(voices[0]?.eyes).toEqual([eyes]);
  expect(voices[1]).toMatchObject({ approvals: [], denials: [denial] });
});

it("hears nothing in other reactions, comment reviews and drafts", () => {
  const reactions = (["-1", "heart", "rocket", "confused"] as const).map((content) => aReactionAt(content, alice, 5));
  const reviews = [aReviewAt("commented", alice, 1), aReviewAt("pending", alice, 2)];
  expect(signalsByAccount({ reviews, reactions })).toEqual([{ account: alice, approvals: [], denials: [], eyes: [] }]);
});

it("a review that changed between two pages counts in its less favourable state", () => {
  const approved = aReviewAt("approved", alice, 5, { id: "1" });
  for (const state of ["dismissed", "changes_requested"] as const) {
    const changed = { ...approved, state };
    for (const reviews of [
      [approved, changed],
      [changed, approved],
    ]) {
      expect(signalsByAccount({ reviews, reactions: [] })).toMatchObject([{ approvals: [], denials: [changed] }]);
    }
  }
});

it("an account that is listed both as a person and as a bot counts as a bot", () => {
  const asBot = { ...alice, kind: "bot" as const };
  const reactions = [aReactionAt("+1", alice, 5), aReactionAt("eyes", asBot, 6)];
  expect(signalsByAccount({ reviews: [], reactions })[0]?.account.kind).toBe("bot");
  expect(signalsByAccount({ reviews: [], reactions: reactions.reverse() })[0]?.account.kind).toBe("bot");
});

it("names a reaction by its author's id and its time, so that giving it again is another approval", () => {
  expect(reactionSignalId(aReactionAt("+1", alice, 5))).toBe(`reaction:id-of-alice:${atSecond(5)}`);
  const renamed = { ...alice, login: "alice-the-second" };
  expect(reactionSignalId(aReactionAt("+1", renamed, 5))).toBe(reactionSignalId(aReactionAt("+1", alice, 5)));
  expect(reactionSignalId(aReactionAt("+1", alice, 6))).not.toBe(reactionSignalId(aReactionAt("+1", alice, 5)));
});

it("names a review by its id alone, whatever becomes of its state", () => {
  expect(reviewSignalId(aReviewAt("approved", alice, 5, { id: "31" }))).toBe("review:31");
  expect(reviewSignalId(aReviewAt("dismissed", alice, 5, { id: "31" }))).toBe("review:31");
});
