import { describe, expect, it } from "vitest";
import { derive } from "#core/derive/derive.ts";
import { CommentId } from "#core/model/ids.ts";
import type { Observation } from "#core/model/observation.ts";
import type { ReviewTrigger, RunState } from "#core/model/records.ts";
import { type RunResult, type RunVerdict, runResult, type TaskDone } from "#core/plan/run-result.ts";
import { aComment, ada, aFinding, aHead, anObservation, aPull, aRun, at, mia, someRecords } from "#testing/makers.ts";

const automatic: TaskDone = { kind: "review", trigger: "automatic", result: "done" };
const manual: TaskDone = { kind: "review", trigger: "manual", result: "done" };
const question: TaskDone = { kind: "question", trigger: "manual", result: "done" };

const foundBlocker: RunState = {
  kind: "completed",
  at: at(1),
  coverage: { filesRead: 1, unread: [] },
  findings: [aFinding("f1").id],
  summary: "",
};
const byHand: ReviewTrigger = { kind: "manual", comment: CommentId.parse("9"), by: ada.id };

const clean = anObservation({ records: someRecords({ heads: [aHead()], runs: [aRun()] }) });
const blocked = anObservation({
  records: someRecords({ heads: [aHead()], findings: [aFinding("f1")], runs: [aRun({ state: foundBlocker })] }),
});
/** The same, but nobody has looked unless somebody asked. */
const asked = (over: Partial<Observation> = {}): Observation => ({
  ...blocked,
  records: { ...blocked.records, runs: blocked.records.runs.map((run) => ({ ...run, trigger: byHand })) },
  ...over,
});
const unread = anObservation({ records: someRecords({ heads: [aHead()] }) });
const draft = { ...unread, pull: aPull({ isDraft: true }) };
const switchesOff = (by: typeof ada): Pick<Observation, "comments"> => ({
  comments: [aComment(1, by, "@drover disable-reviews", 2)],
});
const off = (by: typeof ada): Observation => ({ ...unread, ...switchesOff(by) });
const both = { ...blocked, records: { ...blocked.records, runs: [...blocked.records.runs, ...asked().records.runs] } };

function resultOf(seen: Observation, tasks: readonly TaskDone[]): RunResult {
  return runResult({ seen, situation: derive(seen) }, tasks);
}

describe("the exit code of a one-shot run", () => {
  it.each<[string, Observation, readonly TaskDone[], 0 | 1, RunVerdict]>([
    ["an automatic review that found nothing", clean, [automatic], 0, "passed"],
    ["an automatic review with blocking findings", blocked, [automatic], 1, "blocked"],
    [
      "a manual review with blocking findings, of a draft",
      asked({ pull: aPull({ isDraft: true }) }),
      [manual],
      0,
      "informational",
    ],
    ["one where a maintainer has switched reviews off", asked(switchesOff(mia)), [manual], 0, "informational"],
    ["one where the author has, who has no right to", asked(switchesOff(ada)), [manual], 1, "blocked"],
    ["a manual review of a head that an automatic one found red", both, [manual], 1, "blocked"],
    ["a manual review of a head that an automatic one found clean", clean, [manual], 0, "informational"],
    ["both, with blocking findings", blocked, [manual, automatic], 1, "blocked"],
    ["a red check that is run again and finds nothing to do", blocked, [], 1, "blocked"],
    ["a question on a red pull", blocked, [question], 1, "blocked"],
    ["a green check that is run again", clean, [], 0, "passed"],
    ["a head that should have been reviewed and was not", unread, [question], 1, "unreviewed"],
    ["a draft", draft, [], 0, "unreviewed"],
    ["a pull that was closed over its blockers", { ...blocked, pull: aPull({ state: "closed" }) }, [], 0, "neutral"],
    ["a pull that is merged", { ...clean, pull: aPull({ state: "merged" }) }, [], 0, "passed"],
    ["reviews switched off by a maintainer", off(mia), [], 0, "neutral"],
    ["reviews switched off by an author without that right", off(ada), [], 1, "unreviewed"],
    ["a failed question, although the head is fine", clean, [{ ...question, result: "failed" }], 1, "failed"],
    ["a failed manual review", clean, [{ ...manual, result: "failed" }], 1, "failed"],
  ])("for %s is as specified", (_, seen, tasks, exitCode, verdict) => {
    expect(resultOf(seen, tasks)).toMatchObject({ exitCode, verdict });
  });

  it("tells blocking findings apart from failures", () => {
    expect(resultOf(blocked, [manual]).hasBlockingFindings).toBe(true);
    expect(resultOf(clean, [{ ...automatic, result: "failed" }]).hasBlockingFindings).toBe(false);
  });
});
