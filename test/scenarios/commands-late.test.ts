import { describe, expect, it } from "vitest";
import { editComment } from "#testing/fake-pull/fake-pull.ts";
import { mia } from "#testing/makers.ts";
import { botWords, changes, done, type Event, idOf, opened, outcomes, play, says, unseen, waits } from "./story.ts";

const edits =
  (words: string, to: string): Event =>
  (pull) =>
    editComment(pull, idOf(pull, words), to);

describe("a pull that was closed before Drover looked", () => {
  it.each(["hold", "stop-fixing", "disable-reviews"])(
    "is under the %s that was said before, once it is open again",
    (word) => {
      const end = play(opened(), unseen(says(mia, `@drover ${word}`), changes({ state: "closed" })));
      expect(outcomes(end.pull)).toEqual([`${word}: obeyed`]);
      const { situation } = play(end.pull, changes({ state: "open" }));
      expect(situation.hold.kind).toBe(word === "hold" ? "held" : "free");
    },
  );

  it("is told that there is nothing to do for a merge, and on a merged one for a hold too", () => {
    const closed = play(opened(), unseen(says(mia, "@drover merge"), changes({ state: "closed" })));
    const merged = play(opened(), unseen(says(mia, "@drover hold"), changes({ state: "merged" })));
    expect([...outcomes(closed.pull), ...outcomes(merged.pull)]).toEqual(["merge: refused", "hold: refused"]);
  });
});

describe("a comment that is edited", () => {
  it("a command that is edited into another one is not obeyed, and its author is told once", () => {
    const end = play(
      opened(),
      says(mia, "@drover status"),
      edits("@drover status", "@drover hold"),
      edits("@drover hold", "@drover unhold"),
    );
    expect(outcomes(end.pull)).toEqual(["status: obeyed"]);
    expect(end.situation.hold.kind).toBe("free");
    expect(done(end, "hint")).toMatchObject([{ hint: { kind: "edited_command", word: "status" } }]);
    expect(botWords(end.pull)).toContainEqual(expect.stringContaining("in a new comment"));
  });

  it("a command with a slip that is corrected by an edit is told to be written anew", () => {
    const end = play(
      opened(),
      says(mia, "@drover disable-reviews 4h"),
      edits("@drover disable-reviews 4h", "@drover disable-reviews for 4h"),
    );
    expect(outcomes(end.pull)).toEqual(["disable-reviews: malformed"]);
    expect(done(end, "hint")).toHaveLength(1);
  });

  it("an edit that leaves the command as it was is told nothing", () => {
    const end = play(opened(), says(mia, "@drover hold"), edits("@drover hold", "@drover hold please\n\nThank you."));
    expect(done(end, "hint")).toEqual([]);
  });

  it.each([
    ["hold", "unhold"],
    ["stop-fixing", "fix"],
    ["disable-reviews", "enable-reviews"],
  ])("does not take back a %s that was said between the %s and a word of thanks", (restraint, release) => {
    const whileDroverIsAway = unseen(
      says(mia, `@drover ${release}`),
      waits(1),
      says(mia, `@drover ${restraint}`),
      waits(1),
      edits(`@drover ${release}`, `@drover ${release}\n\nThank you.`),
      waits(1),
    );
    const end = play(opened(), whileDroverIsAway);
    expect(outcomes(end.pull)).toEqual([`${restraint}: obeyed`, `${release}: refused`]);
    expect(botWords(end.pull)).toContainEqual(expect.stringContaining("in a new comment"));
  });

  it("takes back a hold that is older than the comment", () => {
    const comments = unseen(says(mia, "Done."), waits(1), edits("Done.", "@drover unhold"));
    const end = play(opened(), says(mia, "@drover hold"), waits(1), comments);
    expect(outcomes(end.pull)).toEqual(["hold: obeyed", "unhold: obeyed"]);
    expect(end.situation.hold.kind).toBe("free");
  });
});
