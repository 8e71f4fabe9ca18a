import { describe, expect, it } from "vitest";
import type { FakePull } from "#testing/fake-pull/fake-pull.ts";
import { aCheck, ada, at, mia, patch, rita } from "#testing/makers.ts";
import {
  aProblem,
  botWords,
  changes,
  checks,
  done,
  type Event,
  green,
  head,
  judges,
  managedWords,
  onCommand,
  opened,
  outcomes,
  planned,
  play,
  pushes,
  reviewed,
  says,
  takesBack,
  thumbs,
  unseen,
  waits,
  whenApproved,
} from "./story.ts";

const ready: readonly Event[] = [reviewed(), green, thumbs(rita)];

function stateAfter(pull: FakePull, ...events: readonly Event[]): string {
  return play(pull, ...events).pull.pull.state;
}

describe("what keeps a pull from merging", () => {
  it("everything is there: the very head that was approved is merged, and then there is peace", () => {
    const end = play(opened(whenApproved), ...ready);
    expect(end.pull.pull.state).toBe("merged");
    expect(done(end, "merge")).toMatchObject([{ head: head(1) }]);
    expect(play(end.pull, waits(10)).done).toEqual([]);
  });

  it("merging is off until somebody switches it on", () => {
    const end = play(opened(), ...ready, says(mia, "@drover merge"));
    expect(end.pull.pull.state).toBe("open");
    expect(outcomes(end.pull)).toEqual(["merge: refused"]);
  });

  it.each<[string, readonly Event[]]>([
    ["the approval is missing", [reviewed(), green]],
    ["the review is missing", [green, thumbs(rita)]],
    ["a blocker is open", [reviewed(aProblem("leak", 8)), green, thumbs(rita)]],
    ["no checks reported yet", [reviewed(), thumbs(rita)]],
    ["the checks are still running", [reviewed(), checks("pending"), thumbs(rita)]],
    ["the checks are red", [reviewed(), checks("failed"), thumbs(rita)]],
    ["a maintainer holds it", [says(mia, "@drover hold"), ...ready]],
    ["it is a draft", [changes({ isDraft: true }), ...ready]],
    ["it was reviewed and went back to draft", [reviewed(), green, changes({ isDraft: true }), thumbs(rita)]],
    ["the forge does not know yet whether it merges", [changes({ mergeability: { kind: "unknown" } }), ...ready]],
    ["it conflicts", [changes({ mergeability: { kind: "conflicting" } }), ...ready]],
    [
      "limits reached: a hold may have been cut off",
      [(pull) => ({ ...pull, limitsReached: ["commentsMax"] }), ...ready],
    ],
  ])("nothing merges: %s", (_, events) => {
    const end = play(opened(whenApproved), ...events, waits(5));
    expect(end.pull.pull.state).toBe("open");
    expect(done(end, "merge")).toEqual([]);
    expect(done(end, "enqueue_merge")).toEqual([]);
  });

  it("green checks of the head before say nothing about this one", () => {
    const again: readonly Event[] = [reviewed(), judges(mia, "approved")];
    expect(stateAfter(opened(whenApproved), green, pushes(head(2)), ...again)).toBe("open");
    expect(stateAfter(opened(whenApproved), green, pushes(head(2)), ...again, green)).toBe("merged");
  });

  it("one green check does not outvote a red one of another name", () => {
    const mixed = [aCheck("passed", { head: head(1) }), aCheck("failed", { name: "lint", head: head(1) })];
    expect(stateAfter({ ...opened(whenApproved), checks: mixed }, reviewed(), thumbs(rita))).toBe("open");
  });

  it.each([
    ["failed", "passed", "merged"],
    ["passed", "failed", "open"],
    ["passed", "pending", "open"],
  ] as const)("of two attempts of a check the later one counts: %s, then %s", (first, second, state) => {
    const attempts = [
      aCheck(second, { head: head(1), startedAt: at(3) }),
      aCheck(first, { head: head(1), startedAt: at(2) }),
    ];
    expect(stateAfter(opened(whenApproved), reviewed(), (pull) => ({ ...pull, checks: attempts }), thumbs(rita))).toBe(
      state,
    );
  });

  it("a repository without CI merges without it, when it says so", () => {
    const rules = { merge: { when: "when_approved", requireCI: false } } as const;
    expect(stateAfter(opened(rules), reviewed(), thumbs(rita))).toBe("merged");
  });

  it("a pull that somebody closed is left alone", () => {
    const end = play(opened(whenApproved), reviewed(), green, unseen(thumbs(rita), changes({ state: "closed" })));
    expect(done(end, "merge")).toEqual([]);
  });
});

describe("hold and unhold", () => {
  it("the maintainer's hold survives a push", () => {
    const end = play(opened(whenApproved), says(mia, "@drover hold"), pushes(head(2)), ...ready);
    expect(end.pull.pull.state).toBe("open");
    expect(end.situation.hold).toMatchObject({ kind: "held", by: "mia" });
    expect(stateAfter(end.pull, says(rita, "@drover unhold"))).toBe("merged");
  });

  it("the author without write permission cannot lift the hold", () => {
    const end = play(opened(whenApproved), says(mia, "@drover hold"), ...ready, says(ada, "@drover unhold"));
    expect(end.pull.pull.state).toBe("open");
    expect(outcomes(end.pull)).toEqual(["hold: obeyed", "unhold: refused"]);
  });

  it("a hold said in the last moment stops a merge that was ready", () => {
    const end = play(opened(whenApproved), reviewed(), green, unseen(thumbs(rita), says(mia, "@drover hold")));
    expect(end.pull.pull.state).toBe("open");
  });

  it("a hold stops a merge that was commanded before it", () => {
    const end = play(opened(onCommand), says(mia, "@drover merge"), says(rita, "@drover hold"), ...ready);
    expect(end.pull.pull.state).toBe("open");
  });

  it("lifting a hold does not bring back a merge that was said to an older head", () => {
    const old = [says(mia, "@drover merge"), says(mia, "@drover hold"), pushes(head(2))];
    expect(stateAfter(opened(onCommand), ...old, ...ready, says(mia, "@drover unhold"))).toBe("open");
  });
});

describe("the merge command", () => {
  it("without the command an approved pull stays where it is, with it the head is merged", () => {
    const start = play(opened(onCommand), ...ready);
    expect(start.pull.pull.state).toBe("open");
    expect(stateAfter(start.pull, says(rita, "@drover merge"))).toBe("merged");
  });

  it("merge said early waits for everything else", () => {
    const start = play(opened(onCommand), says(rita, "@drover merge"));
    expect(stateAfter(start.pull, reviewed(), green)).toBe("open");
    expect(stateAfter(start.pull, ...ready)).toBe("merged");
  });

  it("the command replaces no approval: not even that of the one who said it", () => {
    expect(stateAfter(opened(onCommand), reviewed(), green, says(mia, "@drover merge"))).toBe("open");
  });

  it("a push voids it also when the patch is the same", () => {
    const known = { ...opened().pull.head, patch: patch("the change") };
    const start = play(opened(onCommand, { head: known }), thumbs(mia), says(rita, "@drover merge"));
    const end = play(start.pull, pushes(head(2), { patch: patch("the change") }), reviewed(), green);
    expect(end.pull.pull.state).toBe("open");
  });
});

describe("the queue", () => {
  const queue = { merge: { when: "when_approved", how: "queue" } } as const;

  it("the queue is asked only for the approved head", () => {
    const end = play(opened(queue), ...ready);
    expect(done(end, "enqueue_merge")).toMatchObject([{ head: head(1) }]);
    expect(done(end, "merge")).toEqual([]);
    expect(done(play(end.pull, waits(10)), "enqueue_merge")).toEqual([]);
  });

  it.each<[string, Event]>([
    ["a hold", says(mia, "@drover hold")],
    ["a thumb taken back", takesBack(rita, "+1")],
    ["a red check", checks("failed")],
    ["a push", pushes(head(2))],
    ["closing the pull", changes({ state: "closed" })],
  ])("%s after the queueing takes it out of the queue", (_, event) => {
    const end = play(opened(queue), ...ready, event);
    expect(done(end, "dequeue_merge")).toMatchObject([{ head: head(1) }]);
    expect(end.pull.records.mergeQueued).toBeNull();
  });

  it("a push after the queueing does not ride on the old approval", () => {
    const end = play(opened(queue), ...ready, pushes(head(2)), reviewed(), green);
    expect(done(end, "enqueue_merge").map((action) => action.head)).toEqual([head(1)]);
    const again = play(end.pull, takesBack(rita, "+1"), thumbs(rita));
    expect(done(again, "enqueue_merge").map((action) => action.head)).toEqual([head(2)]);
  });
});

describe("saying why", () => {
  it("status and flight plan say what is missing and who holds it", () => {
    const end = play(
      opened(whenApproved),
      reviewed(),
      checks("failed"),
      says(mia, "@drover hold"),
      says(ada, "@drover status"),
    );
    const status = done(end, "acknowledge").find((action) => action.record.word === "status")?.text ?? "";
    for (const words of [status, managedWords(end.pull)]) {
      expect(words).toMatch(/mia/);
      expect(words).toMatch(/build/);
      expect(words).toMatch(/approval/i);
    }
    expect(end.situation.merge).toMatchObject({ kind: "waiting" });
  });

  it("a view that was cut is said, not hidden", () => {
    const end = play({ ...opened(whenApproved), limitsReached: ["commentsMax"] });
    expect(end.situation.merge).toMatchObject({ missing: expect.arrayContaining(["whole_view"]) });
    expect(botWords(end.pull).join("\n")).toMatch(/cut|limit|too large/i);
  });

  it.each<[string, readonly Event[]]>([
    ["drover", []],
    ["author", [reviewed(aProblem("leak", 8))]],
    ["reviewers", [reviewed(), green]],
    ["ci", [reviewed(), thumbs(rita), checks("pending")]],
    ["maintainers", [says(mia, "@drover hold"), ...ready]],
  ])("whose turn it is follows what happens: %s", (turn, events) => {
    expect(play(opened(whenApproved), ...events).situation.flightPlan.turn).toBe(turn);
  });

  it("planning twice plans the same, and nothing is planned for a pull at rest but to look again", () => {
    const { pull } = play(opened(whenApproved), reviewed(), green);
    expect(planned(pull)).toEqual(planned(pull));
    expect(planned(pull).every((action) => action.kind === "look_again")).toBe(true);
  });
});
