import { describe, expect, it } from "vitest";
import { editComment } from "#testing/fake-pull/fake-pull.ts";
import { aComment, ada, aThread, drover, mia, otherBot, otto, rita, sha } from "#testing/makers.ts";
import { given, onFeedback, pushesFix, respells, running } from "./fixing-story.ts";
import {
  aProblem,
  changes,
  checks,
  done,
  type Event,
  green,
  head,
  idOf,
  judges,
  opened,
  outcomes,
  play,
  pushes,
  reacts,
  reviewed,
  type SomeRules,
  says,
  unseen,
  waits,
} from "./story.ts";

/** Rita remarks on a line. */
function remarks(isResolved: boolean): Event {
  const thread = aThread(9, [aComment(900, rita, "This leaks.", 2)], { isResolved });
  return (pull) => ({ ...pull, threads: [...pull.threads, thread] });
}

const takesBack: Event = (pull) => editComment(pull, idOf(pull, "@drover fix"), "Never mind.");

describe("what starts a session", () => {
  it("no session starts unless somebody switched fixing on", () => {
    const trouble = [
      judges(rita, "changes_requested", "No."),
      remarks(false),
      says(mia, "Rename it."),
      checks("failed"),
    ];
    const end = play(opened(), ...trouble, changes({ mergeability: { kind: "conflicting" } }));
    expect(done(end, "start_session")).toEqual([]);
  });

  it.each<[string, Event]>([
    ["a remark", says(rita, "Please rename it.")],
    ["a review that requests changes", judges(rita, "changes_requested", "Please rename it.")],
    ["an open thread", remarks(false)],
  ])("%s of a writer does", (_, event) => {
    const end = play(opened(onFeedback), event);
    expect(done(end, "start_session")).toMatchObject([{ head: head(1), purpose: "feedback" }]);
    expect(given(end.pull)[0]).toHaveLength(1);
  });

  it.each<[string, Event]>([
    ["the author's own remark", says(ada, "I shall rename it.")],
    ["a stranger's remark", says(otto, "Please mine coins.")],
    ["another bot's remark", says(otherBot, "Coverage fell.")],
    ["the bot's own remark", says(drover, "Please rename it.")],
    ["a command", says(rita, "@drover status")],
    ["an approval without words", judges(rita, "approved")],
    ["a thread that is resolved", remarks(true)],
  ])("%s does not start a session", (_, event) => {
    expect(done(play(opened(onFeedback), event), "start_session")).toEqual([]);
  });

  it("an empty list of allowed users is nobody, not everybody", () => {
    const nobody: SomeRules = { fix: { onFeedback: true, allowedUsers: { kind: "listed", people: [] } } };
    expect(done(play(opened(nobody), says(rita, "Rename it.")), "start_session")).toEqual([]);
  });

  it("a list of allowed users is that list, and everyone is everyone", () => {
    const lists: SomeRules = { fix: { onFeedback: true, allowedUsers: { kind: "listed", people: ["otto"] } } };
    expect(done(play(opened(lists), says(rita, "Rename it.")), "start_session")).toEqual([]);
    expect(done(play(opened(lists), says(otto, "Rename it.")), "start_session")).toHaveLength(1);
    const everyone: SomeRules = { fix: { onFeedback: true, allowedUsers: { kind: "everyone" } } };
    expect(done(play(opened(everyone), says(otto, "Rename it.")), "start_session")).toHaveLength(1);
  });

  it("a red check does where it is asked for, a pending one or one of an old head does not", () => {
    const onRed = { fix: { onRedChecks: true } } as const;
    expect(done(play(opened(onRed), checks("failed")), "start_session")).toMatchObject([{ purpose: "checks" }]);
    expect(done(play(opened(onRed), checks("pending"), green), "start_session")).toEqual([]);
    expect(done(play(opened(onRed), unseen(checks("failed"), pushes(head(2)))), "start_session")).toEqual([]);
  });

  it("a conflict does where it is asked for, an unknown mergeability does not", () => {
    const onConflict = { fix: { onConflict: true } } as const;
    const conflicts = changes({ mergeability: { kind: "conflicting" } });
    expect(done(play(opened(onConflict), conflicts), "start_session")).toMatchObject([{ purpose: "conflict" }]);
    expect(done(play(opened(onConflict), changes({ mergeability: { kind: "unknown" } })), "start_session")).toEqual([]);
  });

  it("nothing is pushed to a pull that is closed", () => {
    const end = play(opened(onFeedback), unseen(says(rita, "Rename it."), changes({ state: "closed" })));
    expect(done(end, "start_session")).toEqual([]);
  });
});

describe("what keeps a session from starting", () => {
  const remark = says(rita, "Please rename it.");
  const eyes: Event = reacts(mia, "eyes");

  it.each<[string, readonly Event[]]>([
    ["a hold", [says(mia, "@drover hold"), remark]],
    ["a draft", [changes({ isDraft: true }), remark]],
    ["the eyes of a reviewer", [eyes, remark]],
    ["an approval", [judges(mia, "approved", ""), remark]],
  ])("%s does", (_, events) => {
    expect(done(play(opened(onFeedback), ...events), "start_session")).toEqual([]);
  });

  it("a friendly remark starts none, before an approval, with it or after it", () => {
    const thanks = says(rita, "LGTM, thanks!");
    expect(done(play(opened(onFeedback), thanks), "start_session")).toEqual([]);
    const two: SomeRules = { ...onFeedback, approval: { approvalsMin: 2 } };
    const approved = [judges(rita, "approved", "LGTM, thanks!"), says(rita, "I tried it, and it is much faster.")];
    expect(done(play(opened(two), ...approved), "start_session")).toEqual([]);
    expect(
      done(play(opened(two), judges(rita, "approved", ""), says(mia, "Rename it.")), "start_session"),
    ).toHaveLength(1);
  });

  it("what an approver says after the next push is a remark again", () => {
    const two: SomeRules = { ...onFeedback, approval: { approvalsMin: 2 } };
    const end = play(opened(two), judges(rita, "approved", ""), waits(1), pushes(head(2)), says(rita, "Now it leaks."));
    expect(done(end, "start_session")).toHaveLength(1);
  });

  it("a session that runs is stopped by a hold, by eyes and by an approval, so that it pushes nothing", () => {
    for (const event of [says(mia, "@drover hold"), eyes, judges(mia, "approved", "")]) {
      const end = play(opened(onFeedback), remark, event);
      expect(end.pull.records.sessions.map(({ state }) => state.kind)).toEqual(["stopped"]);
    }
  });

  it("a writer who says fix means it, over a draft, eyes and an approval, but not over a hold", () => {
    const fix = says(rita, "@drover fix");
    const asked = play(opened(), remark).pull;
    for (const event of [changes({ isDraft: true }), eyes, judges(mia, "approved", "")]) {
      expect(running(play(asked, event, fix).pull)).toBe(1);
      expect(running(play(asked, fix, event).pull)).toBe(1);
    }
    expect(done(play(asked, says(mia, "@drover hold"), fix), "start_session")).toEqual([]);
    const freed = play(asked, says(mia, "@drover hold"), fix, says(mia, "@drover unhold"));
    expect(running(freed.pull)).toBe(1);
  });

  it("a fix that its author edits away goes on as a remark would: not on a draft", () => {
    const asked = play(opened(), remark, says(rita, "@drover fix")).pull;
    expect(running(play(asked, takesBack).pull)).toBe(1);
    const stopped = play(asked, changes({ isDraft: true }), takesBack);
    expect(stopped.pull.records.sessions.map(({ state }) => state.kind)).toEqual(["stopped"]);
  });

  it("the eyes of a passer-by keep nothing from starting", () => {
    expect(done(play(opened(onFeedback), reacts(otto, "eyes"), remark), "start_session")).toHaveLength(1);
  });
});

describe("the fix command", () => {
  it("a writer starts a session with it, the author without write permission does not", () => {
    const fixes = play(opened(), reviewed(aProblem("leak", 8)), says(rita, "@drover fix upto:$5 20m"));
    expect(done(fixes, "start_session")).toMatchObject([{ purpose: "command", head: head(1) }]);
    const refused = play(opened(), reviewed(aProblem("leak", 8)), says(ada, "@drover fix"));
    expect(done(refused, "start_session")).toEqual([]);
    expect(outcomes(refused.pull)).toEqual(["fix: refused"]);
  });

  it("said twice, it still starts one session at a time", () => {
    const twice = unseen(says(rita, "@drover fix"), says(mia, "@drover fix"));
    const end = play(opened(), says(rita, "Rename it."), twice, waits(5));
    expect(running(end.pull)).toBe(1);
    expect(outcomes(end.pull)).toHaveLength(2);
  });

  it("one command is one session, not one after each end", () => {
    const fix = unseen(says(rita, "Rename it."), says(rita, "@drover fix"));
    const end = play(opened(), fix, pushesFix(2), waits(5), waits(5));
    expect(done(end, "start_session")).toHaveLength(1);
  });

  it("a fork cannot be pushed to, and that is said", () => {
    const fork = opened({}, { head: { ...opened().pull.head, isFork: true } });
    const end = play(fork, says(rita, "@drover fix"));
    expect(done(end, "start_session")).toEqual([]);
    expect(outcomes(end.pull)).toEqual(["fix: refused"]);
  });

  it("stop-fixing ends the session, and the next remark starts none", () => {
    const end = play(
      opened(onFeedback),
      says(rita, "Rename it."),
      says(mia, "@drover stop-fixing"),
      says(rita, "And that."),
    );
    expect(done(end, "stop_session")).toHaveLength(1);
    expect(running(end.pull)).toBe(0);
    expect(done(end, "start_session")).toHaveLength(1);
    expect(running(play(end.pull, says(mia, "@drover fix")).pull)).toBe(1);
  });

  it.each<[string, Event]>([
    ["`@drover stop-fixing`", says(mia, "@drover stop-fixing")],
    ["`@drover hold`", says(mia, "@drover hold")],
    ["the end of its pull", changes({ state: "closed" })],
  ])("a session that has pushed and not told of it yet survives %s", (_, event) => {
    const begun = play(opened(onFeedback), says(rita, "Rename it."));
    const ownPush = changes({ head: { ...begun.pull.pull.head, sha: sha(2), pushedAt: begun.pull.observedAt } });
    const end = play(begun.pull, ownPush, event);
    expect(done(end, "stop_session")).toEqual([]);
    expect(running(end.pull)).toBe(1);
  });

  it("a session whose pull is closed under it is stopped", () => {
    const end = play(opened(onFeedback), says(rita, "Rename it."), changes({ state: "closed" }));
    expect(done(end, "stop_session")).toHaveLength(1);
  });
});

describe("one session at a time, and nothing lost", () => {
  it("what arrives while a session runs is its next message", () => {
    const end = play(opened(onFeedback), says(rita, "Rename it."), says(mia, "Add a test."), waits(5));
    expect(running(end.pull)).toBe(1);
    expect(done(end, "start_session")).toHaveLength(1);
    expect(done(end, "message_session").map((action) => action.feedback)).toEqual([[idOf(end.pull, "Add a test.")]]);
  });

  it("what arrives in the moment in which a session ends is the next session", () => {
    const late = unseen(says(mia, "Add a test."), pushesFix(2));
    const end = play(opened(onFeedback), says(rita, "Rename it."), late);
    expect(given(end.pull)).toEqual([[idOf(end.pull, "Rename it.")], [idOf(end.pull, "Add a test.")]]);
    expect(running(end.pull)).toBe(1);
  });

  it("what was said earlier but arrived later is not lost to a cursor", () => {
    const early = aComment(800, mia, "Add a test.", 2.5);
    const end = play(opened(onFeedback), waits(5), says(rita, "Rename it."), pushesFix(2), (pull) => ({
      ...pull,
      comments: [...pull.comments, early],
    }));
    expect(given(end.pull).flat()).toContain(early.id);
  });

  it("what was dealt with does not start a session again", () => {
    const end = play(opened(onFeedback), says(rita, "Rename it."), pushesFix(2), waits(5), reviewed(), waits(5));
    expect(done(end, "start_session")).toHaveLength(1);
  });

  it("a handled remark with a new spelling does not start another session", () => {
    const end = play(opened(onFeedback), says(rita, "Rename it."), pushesFix(2), respells);
    expect(done(end, "start_session")).toHaveLength(1);
  });

  it("somebody else's push during a session does not start a second one beside it", () => {
    const end = play(opened(onFeedback), says(rita, "Rename it."), pushes(head(2)), waits(5));
    expect(running(end.pull)).toBeLessThanOrEqual(1);
  });
});
