import { describe, expect, it } from "vitest";
import { derive } from "#core/derive/derive.ts";
import { minuteMs } from "#core/model/instant.ts";
import { situationWords } from "#core/words/situation-words.ts";
import { editComment } from "#testing/fake-pull/fake-pull.ts";
import { mia, otto, permissions, rita } from "#testing/makers.ts";
import {
  ends,
  failed,
  given,
  onFeedback,
  past,
  pushesFix,
  readsAll,
  respells,
  running,
  stalled,
} from "./fixing-story.ts";
import {
  changes,
  checks,
  done,
  type Event,
  head,
  idOf,
  managedWords,
  opened,
  outcomes,
  planned,
  play,
  pushes,
  reviewed,
  type SomeRules,
  says,
  unseen,
  waits,
} from "./story.ts";

describe("a fix for which there is nothing", () => {
  const fix = says(rita, "@drover fix");

  it("is told so at once, and starts nothing when something comes up later", () => {
    const end = play(opened(), reviewed(), fix, says(rita, "Rename it."), waits(10));
    expect(outcomes(end.pull)).toEqual(["fix: nothing_to_do"]);
    expect(done(end, "acknowledge").map(({ text }) => text)).toEqual([
      "There is nothing to fix at `1111111111`: no remark is open, and there is no open finding.",
    ]);
    expect(done(end, "start_session")).toEqual([]);
  });

  it("says that a review is under way, which may find something", () => {
    const end = play(opened(), fix);
    expect(done(end, "acknowledge")[0]?.text).toContain("The review of `1111111111` is under way");
    expect(done(end, "start_session")).toEqual([]);
  });

  it("says whose remarks are left alone", () => {
    const end = play(opened(), reviewed(), says(otto, "Rename it."), fix);
    expect(done(end, "acknowledge")[0]?.text).toContain("`fix.allowedUsers`");
  });

  it("takes back a stop-fixing all the same", () => {
    const end = play(opened(onFeedback), reviewed(), says(mia, "@drover stop-fixing"), fix, says(rita, "Rename it."));
    expect(running(end.pull)).toBe(1);
  });
});

const looksSoon: Event = (pull) => ({
  ...pull,
  rules: { ...pull.rules, fix: { ...pull.rules.fix, quietMs: 3 * minuteMs } },
});

describe("quiet before a session", () => {
  it("nothing begins while people are still writing, and then one session has it all", () => {
    const writing = [says(rita, "Rename it."), says(mia, "Add a test."), says(rita, "And sign it.")];
    const begun = play(opened(onFeedback), looksSoon, ...writing);
    expect(done(begun, "start_session")).toEqual([]);
    const { fixing } = derive(begun.pull);
    expect(fixing).toMatchObject({ kind: "waiting", why: "quiet", until: begun.pull.observedAt + 2 * minuteMs });
    const end = play(begun.pull, waits(1));
    expect(given(end.pull)).toEqual([
      ["Rename it.", "Add a test.", "And sign it."].map((words) => idOf(end.pull, words)),
    ]);
  });

  it("an edit is writing too, and a command does not wait", () => {
    const edited = play(opened(onFeedback), looksSoon, says(rita, "Rename it."), respells);
    expect(done(edited, "start_session")).toEqual([]);
    expect(running(play(edited.pull, says(rita, "@drover fix")).pull)).toBe(1);
  });
});

const rewords: Event = (pull) => editComment(pull, idOf(pull, "Rename it."), "Do not rename it. Remove it.");

describe("what is handled", () => {
  it("a handled remark that is edited to ask for something else is open again", () => {
    const end = play(opened(onFeedback), says(rita, "Rename it."), readsAll, pushesFix(2), rewords);
    expect(running(end.pull)).toBe(1);
    expect(given(end.pull)[1]).toEqual([idOf(end.pull, "Remove it.")]);
  });

  it("a handled remark with another spelling is still handled", () => {
    const end = play(opened(onFeedback), says(rita, "Rename it."), readsAll, pushesFix(2), respells, waits(10));
    expect(done(end, "start_session")).toHaveLength(1);
  });

  it("what sessions push past again and again is given up with the reason, and is tried anew once it is reworded", () => {
    const end = play(
      opened(onFeedback),
      says(rita, "Rename it."),
      past(2),
      waits(5),
      past(3),
      waits(5),
      past(4),
      waits(9),
    );
    expect(done(end, "start_session")).toHaveLength(3);
    expect(done(end, "escalate").map(({ text }) => text)).toEqual([expect.stringContaining("Nobody mentioned it.")]);
    expect(running(play(end.pull, rewords).pull)).toBe(1);
  });
});

describe("a pull that ends under a session", () => {
  it.each(["closed", "merged"] as const)("is told what is dropped when it is %s", (state) => {
    const end = play(opened(onFeedback), says(rita, "Rename it."), changes({ state }));
    expect(done(end, "stop_session").map(({ text }) => text)).toEqual([
      `This pull was ${state} while a fixing session was at work on \`1111111111\`. The session was ended, and its work is ` +
        "dropped. Nothing of it was pushed. 1 remark that it was given may be left open.",
    ]);
  });
});

/** So many sessions fail, each as soon as it may begin. */
function tried(count: number): readonly Event[] {
  return Array.from({ length: count }, (_, at) => (at === 0 ? [failed] : [waits(2 ** at), failed])).flat();
}

describe("a session that does not get on", () => {
  const withHumans: SomeRules = { fix: { onFeedback: true }, humans: ["mia"] };

  it("after three failed attempts people are called, once", () => {
    const end = play(opened(withHumans), says(rita, "Rename it."), failed, failed, failed, failed, waits(10));
    expect(done(end, "start_session")).toHaveLength(3);
    expect(done(end, "escalate").map((action) => action.to)).toEqual([["mia"]]);
    expect(planned(end.pull).filter((action) => action.kind === "start_session")).toEqual([]);
  });

  it("rounds without a commit are stalled and end in an escalation as well", () => {
    const end = play(opened(withHumans), says(rita, "Rename it."), stalled, stalled, stalled, stalled, waits(10));
    expect(done(end, "start_session").length).toBeLessThanOrEqual(3);
    expect(done(end, "escalate")).toHaveLength(1);
  });

  it("rounds per pull are capped, however friendly the reviewers", () => {
    const capped: SomeRules = { ...withHumans, fix: { onFeedback: true, roundsMax: 2 } };
    const end = play(
      opened(capped),
      says(rita, "Rename it."),
      pushesFix(2),
      says(rita, "And this."),
      pushesFix(3),
      says(rita, "And that."),
      waits(10),
    );
    expect(done(end, "start_session")).toHaveLength(2);
    expect(done(end, "escalate")).toHaveLength(1);
  });

  it("the call for help about too many rounds is not repeated with every push", () => {
    const capped: SomeRules = { ...withHumans, fix: { onFeedback: true, roundsMax: 1 } };
    const spent = [says(rita, "Rename it."), pushesFix(2), says(rita, "And this.")];
    const end = play(opened(capped), ...spent, pushes(head(3)), pushes(head(4)));
    expect(done(end, "escalate")).toHaveLength(1);
  });

  it("a fix that was commanded and failed is tried again, and then people are called", () => {
    const fix = unseen(says(rita, "Rename it."), says(rita, "@drover fix"));
    const end = play(opened(withHumans), fix, failed, failed, failed, failed, waits(10));
    expect(done(end, "start_session")).toHaveLength(3);
    expect(done(end, "escalate")).toHaveLength(1);
  });

  it("each attempt waits longer than the one before", () => {
    const waiting = play(opened(withHumans), says(rita, "Rename it."), failed, failed);
    expect(planned(waiting.pull).filter(({ kind }) => kind === "start_session")).toEqual([]);
    const pauses = [2, 3, 4].map((count) => {
      const end = play(
        opened({ fix: { onFeedback: true, attemptsMax: 9 } }),
        says(rita, "Rename it."),
        ...tried(count),
      );
      const { fixing } = derive(end.pull);
      const endedAt = end.pull.records.sessions.at(-1)?.endedAt ?? 0;
      return fixing.kind === "waiting" && fixing.why === "back_off" ? fixing.until - endedAt : null;
    });
    expect(pauses).toEqual([2, 4, 8].map((minutes) => minutes * minuteMs));
    expect(managedWords(waiting.pull)).toContain("The last fixing session came to nothing. the agent gave up");
  });

  it("a head that moved is no failed attempt, and neither is a session in which no agent ran", () => {
    const moved: Event = ends({ kind: "unfinished", cause: "head_moved", why: "The head moved." });
    const ends5 = [moved, waits(5), moved, waits(5), moved, waits(5), moved, waits(5)];
    const end = play(opened(withHumans), says(rita, "Rename it."), ...ends5);
    expect(done(end, "start_session")).toHaveLength(5);
    expect(done(end, "escalate")).toEqual([]);
  });

  it("sessions that cannot begin are told of once, with the reason, and tried on", () => {
    const broken: Event = ends({
      kind: "unfinished",
      cause: "not_begun",
      why: "Git does not have the head of this pull.",
    });
    const tries = [broken, waits(90), broken, waits(90), broken, waits(90), broken, waits(90)];
    const end = play(opened(withHumans), says(rita, "Rename it."), ...tries);
    expect(done(end, "start_session")).toHaveLength(5);
    expect(done(end, "escalate").map(({ text }) => text)).toEqual([
      "**Fixing cannot begin.** Git does not have the head of this pull. Drover goes on trying, at least every hour.",
    ]);
  });

  it("people are called once for a subject, and told of each cause once, whatever the head", () => {
    const onRed: SomeRules = { fix: { onRedChecks: true, attemptsMax: 1 }, humans: ["mia"] };
    const refused: Event = ends({
      kind: "failed",
      why: "The change was refused: .github/workflows/ci.yml is protected.",
    });
    const red = checks("failed");
    const first = play(opened(onRed), red, refused, pushes(head(2)), red, refused, waits(5));
    expect(done(first, "escalate").map(({ to, text }) => [to, text])).toEqual([
      [["mia"], expect.stringContaining("The change was refused: .github/workflows/ci.yml is protected.")],
    ]);
    const second = play(first.pull, pushes(head(3)), red, failed, waits(5));
    expect(done(second, "escalate").map(({ to }) => to)).toEqual([[]]);
  });

  it("status and the managed comment say why, until it gets on", () => {
    const why = "The change was refused: .github/workflows/ci.yml is protected.";
    const refused: Event = ends({ kind: "failed", why });
    const one: SomeRules = { fix: { onFeedback: true, attemptsMax: 1 } };
    const end = play(opened(one), says(rita, "Rename it."), refused, says(rita, "@drover status"));
    expect(done(end, "acknowledge").at(-1)?.text).toContain(`Fixing stopped after 1 attempt. ${why}`);
    expect(managedWords(end.pull)).toContain(`Fixing stopped after 1 attempt. ${why}`);
    expect(situationWords(end.pull, derive(end.pull))).toContainEqual([
      "fixing",
      expect.stringContaining("is protected"),
    ]);
  });

  it("permission lost between the remark and the look: no session", () => {
    const end = play(opened(onFeedback), (pull) => ({
      ...says(rita, "Rename it.")(pull),
      permissions: permissions({ rita: "read" }),
    }));
    expect(done(end, "start_session")).toEqual([]);
  });
});
