import { expect, it } from "vitest";
import { voicesOf } from "#core/approval/voice.ts";
import { alice, aReaction, aReview, at, bob } from "#testing/approval-makers.ts";

it("gathers by account what was said by signs, each sign once", () => {
  const thumb = aReaction("+1", alice, 5);
  const eyes = aReaction("eyes", alice, 5);
  const approval = aReview("approved", alice, 6, { id: "1" });
  const denial = aReview("changes_requested", bob, 7);
  const voices = voicesOf({ reviews: [approval, denial, approval], reactions: [thumb, eyes, thumb] });
  expect(voices.map((voice) => voice.account)).toEqual([alice, bob]);
  expect(voices[0]?.approvals.map((signal) => signal.id)).toEqual(["review:1", `reaction:id-of-alice:${at(5)}`]);
  expect(voices[0]?.eyes).toEqual([eyes]);
  expect(voices[1]).toMatchObject({ approvals: [], denials: [denial] });
});

it("hears nothing in other reactions, comment reviews and drafts", () => {
  const reactions = (["-1", "heart", "rocket", "confused"] as const).map((content) => aReaction(content, alice, 5));
  const reviews = [aReview("commented", alice, 1), aReview("pending", alice, 2)];
  expect(voicesOf({ reviews, reactions })).toEqual([{ account: alice, approvals: [], denials: [], eyes: [] }]);
});

it("takes a review that changed between two pages at its less favourable state", () => {
  const approved = aReview("approved", alice, 5, { id: "1" });
  for (const state of ["dismissed", "changes_requested"] as const) {
    const changed = { ...approved, state };
    for (const reviews of [
      [approved, changed],
      [changed, approved],
    ]) {
      expect(voicesOf({ reviews, reactions: [] })).toMatchObject([{ approvals: [], denials: [changed] }]);
    }
  }
});

it("takes an account that is told both as a person and as a bot for a bot", () => {
  const asBot = { ...alice, kind: "bot" as const };
  const reactions = [aReaction("+1", alice, 5), aReaction("eyes", asBot, 6)];
  expect(voicesOf({ reviews: [], reactions })[0]?.account.kind).toBe("bot");
  expect(voicesOf({ reviews: [], reactions: reactions.reverse() })[0]?.account.kind).toBe("bot");
});
