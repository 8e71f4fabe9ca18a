import { describe, expect, it } from "vitest";
import { minuteMs } from "#core/model/instant.ts";
import { deleteComment, describePull, type FakePull } from "#testing/fake-pull/fake-pull.ts";
import { ada, mia, otto, rita, text } from "#testing/makers.ts";
import {
  botWords,
  changes,
  done,
  type Event,
  green,
  head,
  idOf,
  managedWords,
  opened,
  optIn,
  outcomes,
  paidRoles,
  planned,
  play,
  pushes,
  reviewed,
  runningHeads,
  type SomeRules,
  says,
  thumbs,
  unseen,
  waits,
  whenApproved,
} from "./story.ts";

const marker = "Work in progress, @drover disable-reviews please.";
/** The history of edits begins with the text that the pull was opened with, as on the forge that tells it. */
const describes =
  (body: string): Event =>
  (pull) => {
    const first = { at: pull.pull.createdAt, by: ada.id, body: pull.pull.body };
    const told = pull.pull.bodyEdits.length > 0 ? pull : changes({ bodyEdits: [first] })(pull);
    return describePull(told, ada, body);
  };
const deletes =
  (words: string): Event =>
  (pull) =>
    deleteComment(pull, idOf(pull, words));

/** On a forge that tells nothing about edits of the description. */
function untold(pull: FakePull): FakePull {
  return { ...pull, capabilities: { ...pull.capabilities, tellsBodyEdits: false } };
}

function kindAfter(pull: FakePull, ...events: readonly Event[]): string {
  return play(pull, ...events).situation.suppression.kind;
}

describe("what switches reviews off", () => {
  it("a pull that says so in its description is not reviewed, push after push", () => {
    const end = play(opened({}, { body: text(marker) }), pushes(head(2)), pushes(head(3)));
    expect(done(end, "start_review")).toEqual([]);
    expect(end.situation.suppression.kind).toBe("disabled");
  });

  it.each([
    ["a comment in HTML, as templates have them", "<!-- write @drover disable-reviews to be left alone -->"],
    ["a fence", "```\n@drover disable-reviews\n```"],
    ["a quote", "> @drover disable-reviews"],
    ["another handle", "@drover-x disable-reviews"],
    ["another word", "@drover disable-reviews-forever"],
  ])("a description is not switched off by %s", (_, body) => {
    expect(kindAfter(opened({}, { body: text(body) }))).toBe("enabled");
  });

  it("a repository that opts in is left alone until somebody asks", () => {
    const quiet = play(opened(optIn), pushes(head(2)));
    expect(done(quiet, "start_review")).toEqual([]);
    const asked = play(quiet.pull, says(ada, "@drover enable-reviews"));
    expect(runningHeads(asked.pull)).toEqual([head(2)]);
  });

  it("the description marker edited in later than the enable command wins", () => {
    expect(kindAfter(opened(), says(ada, "@drover enable-reviews"), describes(marker))).toBe("disabled");
  });

  it("an enable command later than the marker wins", () => {
    expect(kindAfter(opened(), describes(marker), says(ada, "@drover enable-reviews"))).toBe("enabled");
  });

  it("a typo corrected in the description does not bring an old marker back to life", () => {
    const end = kindAfter(
      opened(),
      describes(marker),
      says(ada, "@drover enable-reviews"),
      describes(`${marker} Fixes a typo.`),
    );
    expect(end).toBe("enabled");
  });

  it("a marker taken out and put in again counts when it came back", () => {
    const enabled = says(ada, "@drover enable-reviews");
    expect(kindAfter(opened(), describes(marker), enabled, describes("Ready."), describes(marker))).toBe("disabled");
  });

  it("where the forge tells no times of edits, the marker is as old as the look that first saw it", () => {
    const seenLater = kindAfter(untold(opened()), says(ada, "@drover enable-reviews"), changes({ body: text(marker) }));
    expect(seenLater).toBe("disabled");
  });

  it("where the forge tells no times of edits, a command that the same look sees first is newer than the marker", () => {
    const marked = unseen(changes({ body: text(marker) }), waits(2), says(ada, "@drover enable-reviews"));
    expect(kindAfter(untold(opened()), marked, waits(5))).toBe("enabled");
    expect(kindAfter(untold(opened()), marked, waits(5), changes({ body: text("Ready.") }), describes(marker))).toBe(
      "disabled",
    );
  });

  it("where the forge tells no times of edits, a marker at the first look is as old as the pull", () => {
    const marked = opened({}, { body: text(marker) });
    const end = kindAfter(untold(says(ada, "@drover enable-reviews")(marked)), waits(5));
    expect(end).toBe("enabled");
  });

  it("a marker that is taken out lets the reviews go on", () => {
    const end = play(opened({}, { body: text(marker) }), describes("Ready now."));
    expect(end.situation.suppression.kind).toBe("enabled");
    expect(runningHeads(end.pull)).toEqual([head(1)]);
  });

  it("the comment that disabled reviews is deleted", () => {
    const end = play(opened(), says(ada, "@drover disable-reviews"), pushes(head(2)), deletes("disable-reviews"));
    expect(end.situation.suppression.kind).toBe("enabled");
    expect(runningHeads(end.pull)).toEqual([head(2)]);
  });

  it("of disable, enable, disable in a hurry the last one wins, in whatever order the pages arrive", () => {
    const hurry = unseen(
      says(ada, "@drover disable-reviews"),
      says(mia, "@drover enable-reviews"),
      says(ada, "@drover disable-reviews"),
      (pull) => ({ ...pull, comments: [...pull.comments].reverse() }),
    );
    expect(kindAfter(opened(), hurry)).toBe("disabled");
  });

  it("an enable command of a stranger does not overrule the author", () => {
    const end = play(opened(), says(ada, "@drover disable-reviews"), says(otto, "@drover enable-reviews"));
    expect(end.situation.suppression.kind).toBe("disabled");
    expect(runningHeads(end.pull)).toEqual([]);
  });
});

describe("a pause of reviews with an end", () => {
  it("temporary suppression runs out at its minute", () => {
    const quiet = play(opened(), says(ada, "@drover disable-reviews for 90m"), pushes(head(2)));
    const said = quiet.pull.comments.find((comment) => comment.body.includes("for 90m"))?.createdAt ?? 0;
    const until = said + 90 * minuteMs;
    expect(quiet.situation.suppression).toMatchObject({ kind: "disabled_until", until });
    const before: Event = (pull) => ({
      ...pull,
      observedAt: waits((until - pull.observedAt) / minuteMs - 1.02)(pull).observedAt,
    });
    const still = play(quiet.pull, before);
    expect(still.pull.observedAt).toBeLessThan(until);
    expect(runningHeads(still.pull)).toEqual([]);
    const over = play(still.pull, waits(0));
    expect(runningHeads(over.pull)).toEqual([head(2)]);
  });

  it("where reviews are opt-in, a pause that is over does not switch them on", () => {
    const end = play(opened(optIn), says(ada, "@drover disable-reviews for 1h"), waits(70), pushes(head(2)));
    expect(runningHeads(end.pull)).toEqual([]);
  });

  it("nobody has to do anything: Drover looks again when the time is over", () => {
    const formal: SomeRules = { approval: { protocols: "reviews" } };
    const { pull, situation } = play(opened(formal), says(ada, "@drover disable-reviews for 60m"));
    const until = situation.suppression.kind === "disabled_until" ? situation.suppression.until : 0;
    const looks = planned(pull).filter((action) => action.kind === "look_again");
    expect(looks.some((look) => look.at <= until)).toBe(true);
  });
});

describe("what people are told", () => {
  it("one notice says which commit is not reviewed and both ways out, edited in place", () => {
    const end = play(opened(), says(rita, "@drover disable-reviews"), pushes(head(2)), pushes(head(3)));
    const notice = new RegExp(`Not reviewing commit \`?${head(3).slice(0, 7)}[0-9a-f]*\`? due to explicit suppression`);
    expect(managedWords(end.pull)).toMatch(notice);
    expect(managedWords(end.pull)).toContain("enable-reviews");
    expect(managedWords(end.pull)).toMatch(/review(?!s)/);
    expect(botWords(end.pull).filter((words) => words.includes("Not reviewing commit"))).toHaveLength(1);
  });

  it("the notice goes when the reviews come back", () => {
    const end = play(
      opened(),
      says(rita, "@drover disable-reviews"),
      pushes(head(2)),
      says(rita, "@drover enable-reviews"),
    );
    expect(managedWords(end.pull)).not.toContain("Not reviewing commit");
  });

  it("disable-reviews stops what is pending and says how many it cancelled", () => {
    const end = play(
      opened({ reviews: { roles: paidRoles("general", "security") } }),
      says(ada, "@drover disable-reviews"),
    );
    expect(runningHeads(end.pull)).toEqual([]);
    expect(done(end, "cancel_review")).toHaveLength(2);
    expect(done(end, "acknowledge")[0]?.text).toBeNull();
    expect(managedWords(end.pull)).toContain("2 pending reviews were cancelled.");
  });

  it.each([
    ["@drover disable-reviews", "@drover cancel"],
    ["@drover cancel", "@drover disable-reviews"],
    ["@drover disable-reviews", "@drover disable-reviews for 2h"],
  ])("%s and %s in one look do not both claim what was cancelled", (one, other) => {
    const asked = opened({ reviews: { roles: paidRoles("general", "security") } });
    const end = play(asked, (pull) => says(rita, other)(says(ada, one)(pull)));
    expect(done(end, "cancel_review")).toHaveLength(2);
    expect(done(end, "acknowledge").map((each) => each.text)).toEqual([null, null]);
    expect(managedWords(end.pull).match(/\d+ pending reviews? (?:was|were) cancelled/g)).toEqual([
      "2 pending reviews were cancelled",
    ]);
  });
});

describe("the commands about reviews", () => {
  it("review looks once and leaves the suppression as it is", () => {
    const once = play(opened(), says(ada, "@drover disable-reviews"), pushes(head(2)), says(ada, "@drover review"));
    expect(runningHeads(once.pull)).toEqual([head(2)]);
    const end = play(once.pull, reviewed(), pushes(head(3)));
    expect(end.situation.suppression.kind).toBe("disabled");
    expect(runningHeads(end.pull)).toEqual([]);
  });

  it("enable-reviews is acknowledged and reviews the head that is there", () => {
    const end = play(
      opened(),
      says(ada, "@drover disable-reviews"),
      pushes(head(2)),
      says(ada, "@drover enable-reviews"),
    );
    expect(outcomes(end.pull)).toEqual(["disable-reviews: obeyed", "enable-reviews: obeyed"]);
    expect(runningHeads(end.pull)).toEqual([head(2)]);
  });

  it.each(["review", "enable-reviews"])("a review that was cancelled comes back with %s", (word) => {
    const end = play(opened(), says(ada, "@drover cancel"), says(ada, `@drover ${word}`));
    expect(runningHeads(end.pull)).toEqual([head(1)]);
  });

  it("cancel stops the review of this head, not those of the next ones", () => {
    const stopped = play(opened(), says(ada, "@drover cancel"), waits(30));
    expect(runningHeads(stopped.pull)).toEqual([]);
    expect(stopped.situation.suppression.kind).toBe("enabled");
    expect(runningHeads(play(stopped.pull, pushes(head(2))).pull)).toEqual([head(2)]);
  });

  it("cancelling the review does not make the gate green", () => {
    const end = play(opened(whenApproved), says(ada, "@drover cancel"), green, thumbs(rita));
    expect(end.pull.gate?.state).toBe("pending");
    expect(end.pull.pull.state).toBe("open");
  });
});
