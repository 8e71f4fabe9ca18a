import { describe, expect, it } from "vitest";
import type { Action } from "#core/decision/action.ts";
import { CommentId } from "#core/model/ids.ts";
import type { Records, ReviewRun } from "#core/model/records.ts";
import { actionKey } from "#core/plan/action-key.ts";
import { createTaskList, type TriedAction } from "#core/plan/run-tasks.ts";
import { anObservation, aPull, aRun, at, sha, someRecords } from "#testing/makers.ts";

const start: Action = {
  kind: "start_review",
  key: actionKey("start_review"),
  head: sha(1),
  baseBranch: "main",
  role: "general",
  trigger: { kind: "automatic" },
  round: 1,
  attempt: 1,
  why: "new_head",
  priority: 3,
};
const comment = CommentId.parse("i5");
const answer: Action = {
  kind: "answer",
  key: actionKey("answer"),
  comment,
  revision: "r",
  thread: null,
  earlierAnswer: null,
  priority: 2,
};
const merge: Action = { kind: "merge", key: actionKey("merge"), head: sha(1), baseBranch: "main", wish: null };

function deed(action: Action): TriedAction {
  return { action, outcome: { kind: "done" } };
}

function concluded(actions: readonly Action[], records: Partial<Records>) {
  const tasks = createTaskList();
  tasks.note(actions.map(deed));
  return tasks.conclude(anObservation({ records: someRecords(records) }));
}

function run(state: ReviewRun["state"]): ReviewRun {
  return aRun({ head: sha(1), role: "general", state });
}

describe("the tasks of a run", () => {
  it("are told in order of priority, whatever began first", () => {
    const questions = [{ comment, revision: "r", status: "ANSWERED", answer: null }] as const;
    expect(concluded([start, answer], { runs: [aRun({ head: sha(1) })], questions })).toMatchObject([
      { kind: "question", result: "done" },
      { kind: "review", trigger: "automatic", result: "done" },
    ]);
  });

  it("count once, however often they were begun", () => {
    expect(concluded([start, start], { runs: [aRun({ head: sha(1) })] })).toHaveLength(1);
  });

  it("that did not come to an end have failed, with the reason where there is one", () => {
    expect(concluded([start, answer], { runs: [run({ kind: "running" })] })).toMatchObject([
      { kind: "question", result: "failed", why: "it was not answered" },
      { kind: "review", result: "failed", why: "it did not end" },
    ]);
    const failed = run({ kind: "failed", attempts: 3, why: "no answer", retryAt: at(1) });
    expect(concluded([start], { runs: [failed] })).toMatchObject([{ result: "failed", why: "no answer" }]);
  });

  it("that nobody wanted any more are left out", () => {
    expect(concluded([start], { runs: [run({ kind: "cancelled", by: "newer_head" })] })).toEqual([]);
  });

  it("know who asked for a review", () => {
    const trigger = { kind: "manual", comment, by: anObservation().pull.author.id } as const;
    expect(concluded([start], { runs: [aRun({ head: sha(1), trigger })] })).toMatchObject([{ trigger: "manual" }]);
  });

  it("hold a merge only when it has happened: when, is the forge's affair", () => {
    const tasks = createTaskList();
    tasks.note([deed(merge)]);
    expect(tasks.conclude(anObservation())).toEqual([]);
    expect(tasks.conclude(anObservation({ pull: aPull({ state: "merged" }) }))).toMatchObject([{ kind: "merge" }]);
  });

  it("do not hold what the forge refused", () => {
    const tasks = createTaskList();
    tasks.note([{ action: start, outcome: { kind: "later", why: "unavailable" } }]);
    expect(tasks.conclude(anObservation())).toEqual([]);
  });
});
