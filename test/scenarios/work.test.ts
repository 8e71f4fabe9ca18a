import { describe, expect, it } from "vitest";
import type { ActionKind } from "#core/decision/action.ts";
import { derive } from "#core/derive/derive.ts";
import { type RunResult, runResult, type TaskDone } from "#core/plan/run-result.ts";
import { reply } from "#testing/fake-pull/fake-pull.ts";
import type { Settled } from "#testing/fake-pull/settle-fake-pull.ts";
import { ada, at, rita } from "#testing/makers.ts";
import {
  aProblem,
  checks,
  dies,
  done,
  type Event,
  green,
  head,
  idOf,
  meaning,
  opened,
  optIn,
  planned,
  play,
  pushes,
  reviewed,
  runningHeads,
  runsEnd,
  says,
  thumbs,
  unseen,
  waits,
} from "./story.ts";

const leak = aProblem("leak", 8);
const race = aProblem("race", 8);
const asks = (words: string): Event => says(ada, `@drover ${words}?`);

const contradicts =
  (rule: string, words: string): Event =>
  (pull) => {
    const thread = pull.threads.find((one) => one.comments[0]?.body.includes(rule));
    return reply(pull, ada, thread?.id ?? "", words);
  };

function twice<One>(list: readonly One[]): readonly One[] {
  return [...list, ...list].reverse();
}

describe("nothing is lost", () => {
  it("three questions in a hurry are three answers", () => {
    const hurry = unseen(asks("why a regex"), asks("is it fast"), asks("does it nest"), meaning("question"));
    expect(done(play(opened(), hurry, waits(5)), "answer")).toHaveLength(3);
  });

  it("two disputes in a hurry are both resolved", () => {
    const hurry = unseen(contradicts("leak", "It is public."), contradicts("race", "One thread."), meaning("dispute"));
    const end = play(opened(), reviewed(leak, race), hurry, waits(5));
    expect(new Set(done(end, "resolve_dispute").map((action) => action.finding)).size).toBe(2);
    expect(end.pull.records.disputes).toHaveLength(2);
  });

  it("people who wait come first: disputes, then questions, then reviews", () => {
    const before = play(opened(), reviewed(leak));
    const all = unseen(
      pushes(head(2)),
      asks("why a regex"),
      meaning("question"),
      contradicts("leak", "No."),
      meaning("dispute"),
    );
    const order: readonly ActionKind[] = ["resolve_dispute", "answer", "start_review"];
    const work = planned(waits(1)(all(before.pull))).filter((action) => order.includes(action.kind));
    expect(work.map((action) => action.kind)).toEqual(order);
    expect(work.map((action) => ("priority" in action ? action.priority : 0))).toEqual([1, 2, 3]);
  });

  it("a question posted while another is being answered is answered too", () => {
    const start = play(opened(), asks("why a regex"), waits(0));
    const asked = unseen(meaning("question"), asks("is it fast"), meaning("question"))(start.pull);
    const first = planned(asked).filter((action) => action.kind === "answer");
    expect(first).toHaveLength(2);
    const questions = first
      .slice(0, 1)
      .map(({ comment, revision }) => ({ comment, revision, status: "IN_PROGRESS" as const, answer: null }));
    const working = { ...asked, records: { ...asked.records, questions } };
    const others = planned(working).filter((action) => action.kind === "answer");
    expect(others.map((action) => action.comment)).toContain(idOf(asked, "is it fast"));
  });

  it("a green check finds the question that no event announced", () => {
    const end = play(opened(), unseen(asks("why a regex"), meaning("question"), green));
    expect(done(end, "answer")).toHaveLength(1);
  });

  it("lists in another order, and elements that come twice, mean the same", () => {
    const end = play(
      opened(),
      reviewed(leak, race),
      says(rita, "Please rename it."),
      contradicts("leak", "No."),
      thumbs(rita),
    );
    const next = unseen(pushes(head(2)), says(ada, "@drover status"), says(rita, "@drover hold"), waits(1))(end.pull);
    const shuffled = {
      ...next,
      comments: twice(next.comments),
      reviews: twice(next.reviews),
      threads: twice(next.threads),
      reactions: twice(next.reactions),
      checks: twice(next.checks),
      permissions: [...next.permissions].reverse(),
    };
    expect(planned(shuffled)).toEqual(planned(next));
  });
});

describe("the automatic review", () => {
  it("a manual request during the automatic review is dismissed with an explanation", () => {
    const end = play(opened(), says(ada, "@drover review"));
    expect(runningHeads(end.pull)).toEqual([head(1)]);
    expect(end.pull.records.manualReviews).toMatchObject([{ status: "DISMISSED_BY_AUTO_REVIEW" }]);
    const [dismissal] = done(end, "dismiss_manual_review");
    expect(dismissal?.comment).toBe(idOf(end.pull, "@drover review"));
    expect(dismissal?.text).toMatch(/automatic/i);
    expect(done(end, "start_review")).toHaveLength(1);
  });

  it("a request and a push in the same moment cost one review", () => {
    const end = play(opened(), reviewed(), unseen(pushes(head(2)), says(ada, "@drover review")));
    expect(runningHeads(end.pull)).toEqual([head(2)]);
    expect(done(end, "start_review")).toHaveLength(2);
  });

  it("the second cancellation of an automatic review does not lose it", () => {
    let story = play(opened());
    for (const _ of [1, 2, 3, 4, 5]) {
      story = play(story.pull, dies);
      expect(runningHeads(story.pull)).toEqual([head(1)]);
      expect(done(story, "start_review")).toMatchObject([{ trigger: { kind: "automatic" } }]);
    }
  });

  it("a review that was cancelled by a question keeps its gate", () => {
    const end = play(opened(), dies, unseen(dies, asks("why"), meaning("question")), reviewed(leak));
    expect(done(end, "answer")).toHaveLength(1);
    expect(end.pull.gate?.state).toBe("failure");
    const tasks = [
      { kind: "question", trigger: "manual", result: "done" },
      { kind: "review", trigger: "automatic", result: "done" },
    ] as const;
    expect(resultOf(end, tasks)).toMatchObject({ exitCode: 1, hasBlockingFindings: true });
  });

  it("a manual review that was cancelled is restarted as well", () => {
    const end = play(opened(optIn), says(ada, "@drover review"), dies, dies);
    expect(runningHeads(end.pull)).toEqual([head(1)]);
  });

  it("a review of a head that is gone is not restarted", () => {
    const end = play(opened(), unseen(dies, pushes(head(2))));
    expect(runningHeads(end.pull)).toEqual([head(2)]);
  });
});

function resultOf({ pull: seen, situation }: Settled, tasks: readonly TaskDone[]): RunResult {
  return runResult({ seen, situation }, tasks);
}

describe("the exit code", () => {
  const automatic = { kind: "review", trigger: "automatic", result: "done" } as const;
  const manual = { kind: "review", trigger: "manual", result: "done" } as const;

  it("an automatic review with blockers fails the run, a clean one does not", () => {
    expect(resultOf(play(opened(), reviewed(leak)), [automatic]).exitCode).toBe(1);
    expect(resultOf(play(opened(), reviewed()), [automatic])).toMatchObject({
      exitCode: 0,
      verdict: "passed",
    });
  });

  it("a manual review with blockers is for information", () => {
    const end = play(opened(optIn), says(rita, "@drover review"), reviewed(leak));
    expect(resultOf(end, [manual])).toMatchObject({ exitCode: 0, hasBlockingFindings: true });
  });

  it("a manual review does not turn a head green that an automatic one found red", () => {
    const end = play(opened(), reviewed(leak), says(ada, "@drover review"), reviewed(leak));
    expect(done(end, "start_review").map(({ trigger }) => trigger.kind)).toEqual(["automatic", "manual"]);
    expect(resultOf(end, [manual])).toMatchObject({ exitCode: 1, verdict: "blocked" });
  });

  it("an author who may not switch reviews off does not buy exit code 0 by asking for one", () => {
    const end = play(opened(), says(ada, "@drover disable-reviews"), says(ada, "@drover review"), reviewed(leak));
    expect(resultOf(end, [manual]).exitCode).toBe(1);
  });

  it("manual and automatic together: the automatic one decides", () => {
    const end = play(opened(), reviewed(leak));
    expect(resultOf(end, [manual, automatic]).exitCode).toBe(1);
  });

  it("exit code when a red run is run again", () => {
    const again = play(play(opened(), reviewed(leak)).pull, waits(10));
    expect(again.done).toEqual([]);
    expect(resultOf(again, []).exitCode).toBe(1);
  });

  it("a run that only answered a question does not turn a red head green", () => {
    const end = play(opened(), reviewed(leak), unseen(asks("why"), meaning("question")));
    expect(resultOf(end, [{ kind: "question", trigger: "manual", result: "done" }]).exitCode).toBe(1);
  });

  it("a task that failed fails the run, and says that it was not the code", () => {
    const clean = play(opened(), reviewed());
    const failed = { kind: "question", trigger: "manual", result: "failed" } as const;
    expect(resultOf(clean, [failed, automatic])).toMatchObject({ exitCode: 1, verdict: "failed" });
    const blocked = resultOf(play(opened(), reviewed(leak)), [automatic]);
    expect(blocked.verdict).not.toBe("failed");
  });

  it("a run whose review did not happen is not green", () => {
    const down = runsEnd({ kind: "failed", attempts: 3, why: "no network", retryAt: at(0) });
    expect(resultOf(play(opened(), down), []).exitCode).toBe(1);
  });

  it("the author cannot buy exit code 0 by switching reviews off", () => {
    const end = play(opened(), says(ada, "@drover disable-reviews"));
    expect(resultOf(end, []).exitCode).toBe(1);
  });
});

describe("the gate", () => {
  it("checks of others do not make it green before the review is there", () => {
    const end = play(opened(), green, thumbs(rita));
    expect(end.pull.gate?.state).toBe("pending");
  });

  it("red checks of others do not make it red: it speaks for the review", () => {
    expect(play(opened(), reviewed(), checks("failed")).pull.gate?.state).toBe("success");
  });

  it("somebody overwrites it on the forge, and it is put right", () => {
    const end = play(opened(), reviewed(leak), (pull) => ({
      ...pull,
      gate: { head: head(1), state: "success" as const, words: "all good" },
    }));
    expect(end.pull.gate?.state).toBe("failure");
  });

  it("the situation is the same after a restart: nothing is remembered but what is written down", () => {
    const { pull, situation } = play(opened(), reviewed(leak), pushes(head(2)), reviewed());
    expect(derive(structuredClone(pull))).toEqual(situation);
  });
});
