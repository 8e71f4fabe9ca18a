import { describe, expect, it } from "vitest";
import { describePull } from "#testing/fake-pull/fake-pull.ts";
import { ada, rita, text } from "#testing/makers.ts";
import {
  aProblem,
  changes,
  done,
  type Event,
  green,
  head,
  opened,
  optIn,
  outcomes,
  paidRoles,
  play,
  pushes,
  reviewed,
  runningHeads,
  type SomeRules,
  says,
  thumbs,
  whenApproved,
} from "./story.ts";

const marker = "Work in progress, @drover disable-reviews please.";
const rationed: SomeRules = { reviews: { automatic: "disabled", roles: paidRoles("general") } };

const adaDeletesHerWords: Event = (pull) => ({
  ...pull,
  comments: pull.comments.filter((comment) => comment.author.id !== ada.id),
});

/** The history of edits begins with the text that the pull was opened with, as on the forge that tells it. */
const ritaMarks: Event = (pull) => {
  const first = { at: pull.pull.createdAt, by: ada.id, body: pull.pull.body };
  return describePull(changes({ bodyEdits: [first] })(pull), rita, marker);
};

describe("the budget of an author who may not write", () => {
  const asked = ([2, 3, 4] as const).flatMap((number) => [
    pushes(head(number)),
    says(ada, "@drover review"),
    reviewed(),
  ]);

  it("an author who may not write runs out of paid reviews", () => {
    const asks = ([2, 3, 4, 5] as const).flatMap((number) => [
      pushes(head(number)),
      says(ada, "@drover review"),
      reviewed(),
    ]);
    const end = play(opened(rationed), ...asks);
    const fine = "review: obeyed";
    expect(outcomes(end.pull)).toEqual([fine, fine, fine, "review: refused"]);
    expect(done(end, "start_review")).toHaveLength(3);
    const helped = play(end.pull, says(rita, "@drover review"));
    expect(runningHeads(helped.pull)).toEqual([head(5)]);
  });

  it("deleting the requests does not fill it up again", () => {
    const spent = play(opened(rationed), ...asked);
    const end = play(spent.pull, adaDeletesHerWords, pushes(head(5)), says(ada, "@drover review"));
    expect(runningHeads(end.pull)).toEqual([]);
  });

  it("reviews by rules cost nothing and are not counted", () => {
    const end = play(opened(optIn), ...asked, pushes(head(5)), says(ada, "@drover review"));
    expect(runningHeads(end.pull)).toEqual([head(5)]);
  });

  it("what a writer asks for is not taken from it", () => {
    const helped = play(opened(rationed), says(rita, "@drover review"), reviewed(), ...asked);
    expect(done(helped, "start_review")).toHaveLength(4);
  });
});

describe("the gate of a suppressed head", () => {
  it("the author disables reviews to get a green gate", () => {
    const end = play(opened(whenApproved), says(ada, "@drover disable-reviews"), green, thumbs(rita));
    expect(end.pull.gate).toMatchObject({ head: head(1), state: "pending" });
    expect(end.pull.gate?.words).toMatch(/suppress|disabled|off/i);
    expect(end.pull.pull.state).toBe("open");
  });

  it("the author writes the marker into the description to get a green gate", () => {
    expect(play(opened({}, { body: text(marker) })).pull.gate?.state).toBe("pending");
  });

  it("a writer who puts the marker into the description answers for it", () => {
    const end = play(opened(), ritaMarks, pushes(head(2)));
    expect(end.pull.gate).toMatchObject({ head: head(2), state: "neutral" });
  });

  it("a review that was asked for on a suppressed head still shows its blockers", () => {
    const end = play(
      opened(),
      says(rita, "@drover disable-reviews"),
      says(rita, "@drover review"),
      reviewed(aProblem("leak", 8)),
    );
    expect(end.pull.gate?.state).toBe("failure");
  });

  it("a writer who switches reviews off gets a neutral gate", () => {
    const end = play(opened(), says(rita, "@drover disable-reviews"), pushes(head(2)));
    expect(end.pull.gate).toMatchObject({ head: head(2), state: "neutral" });
  });

  it("switching reviews off does not hide a blocker that was found", () => {
    const end = play(opened(), reviewed(aProblem("leak", 8)), says(rita, "@drover disable-reviews"));
    expect(end.pull.gate?.state).toBe("failure");
    const pushed = play(end.pull, pushes(head(2)));
    expect(pushed.pull.gate?.state).not.toBe("success");
  });
});
