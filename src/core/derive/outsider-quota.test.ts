import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { derive } from "#core/derive/derive.ts";
import { CommentId } from "#core/model/ids.ts";
import { minuteMs } from "#core/model/instant.ts";
import type { Observation } from "#core/model/observation.ts";
import { CommandRecord, type ReviewRun, type RunState } from "#core/model/records.ts";
import type { ReviewRules, Rules } from "#core/model/rules.ts";
import { plan } from "#core/plan/plan.ts";
import { changePull, type FakePull, passTime, push, say } from "#testing/fake-pull/fake-pull.ts";
import { finishReviews } from "#testing/fake-pull/finish-reviews.ts";
import { settleFakePull } from "#testing/fake-pull/settle-fake-pull.ts";
import {
  aComment,
  ada,
  aHead,
  anObservation,
  aPull,
  aRun,
  at,
  drover,
  permissions,
  rita,
  sha,
  someRecords,
  someRules,
} from "#testing/makers.ts";

const max = 3;

/** A role for nothing and two that cost money. */
function rulesWith(over: z.input<typeof ReviewRules> = {}): Rules {
  const roles = [
    { name: "rules", reviewer: "rules" as const },
    { name: "general", reviewer: "model" as const },
    { name: "security", reviewer: "agent" as const },
  ];
  return someRules({ reviews: { roles, ...over } });
}

const rules = rulesWith();

/** Ada, who may only read, has pushed so many heads, and both paid roles have looked at each but the last. */
function pushed(heads: number, over: Partial<ReviewRun> = {}): Observation {
  const runs = Array.from({ length: heads - 1 }, (_, index) =>
    ["rules", "general", "security"].map((role) =>
      aRun({ head: sha(index + 1), role, startedAt: at(index + 1), ...over }),
    ),
  ).flat();
  const { head } = aPull();
  return anObservation({
    rules,
    pull: aPull({ head: { ...head, sha: sha(heads), pushedAt: at(heads) } }),
    records: someRecords({ heads: [aHead({ sha: sha(heads), since: at(heads) })], runs }),
  });
}

function startedRoles(seen: Observation): readonly string[] {
  return plan(seen, derive(seen)).flatMap((action) => (action.kind === "start_review" ? [action.role] : []));
}

const everybody = ["rules", "general", "security"];

function runningRoles({ records }: Observation): readonly string[] {
  return records.runs.filter(({ state }) => state.kind === "running").map(({ role }) => role);
}

describe("paid reviews of a pull by an author without write permission", () => {
  it("are made for as many heads as the rules say, and the fixed rules go on", () => {
    expect(startedRoles(pushed(max))).toEqual(everybody);
    expect(startedRoles(pushed(max + 1))).toEqual(["rules"]);
    expect(startedRoles(pushed(40))).toEqual(["rules"]);
  });

  it("leave the gate pending when they are used up, and both say why and what to do", () => {
    const seen = pushed(max + 1);
    const read = {
      ...seen,
      records: { ...seen.records, runs: [...seen.records.runs, aRun({ head: sha(max + 1), role: "rules" })] },
    };
    const { gate, flightPlan } = derive(read);
    expect(gate).toMatchObject({ state: "pending", why: "outsider_budget", used: max, max });
    expect(flightPlan.turn).toBe("maintainers");
    const texts = plan(read, derive(read)).flatMap((action) => ("text" in action ? [action.text] : []));
    const line = "3 of 3 paid reviews for an author without write permission are used up; a maintainer can ask for one";
    expect(texts).toContain(line);
    expect(line.length).toBeLessThanOrEqual(140);
    expect(texts.join("\n")).toContain("a person with write permission can ask for one: `@drover review`");
  });

  it.each(["write", "admin"] as const)("are not bounded where the author may %s", (permission) => {
    expect(startedRoles({ ...pushed(40), permissions: permissions({ ada: permission }) })).toEqual(everybody);
  });

  it.each(["read", "none", "undetermined"] as const)("are bounded where the forge says %s", (permission) => {
    expect(startedRoles({ ...pushed(40), permissions: permissions({ ada: permission }) })).toEqual(["rules"]);
  });

  it("are bounded where the forge says nothing at all", () => {
    expect(startedRoles({ ...pushed(40), permissions: [] })).toEqual(["rules"]);
  });

  it("are not bounded on a pull of Drover's own", () => {
    const seen = pushed(40);
    expect(startedRoles({ ...seen, pull: { ...seen.pull, author: drover } })).toEqual(everybody);
  });

  it("are asked for by a writer, once, also while the rules still look, and are not taken from the author's", () => {
    const comments = [aComment(1, rita, "@drover review", 50)];
    const asked = settleFakePull({ ...pushed(max + 1), comments });
    const made = asked.done.flatMap((action) => (action.kind === "dismiss_manual_review" ? [action] : []));
    expect(made).toEqual([]);
    const looking = settleFakePull(passTime(finishReviews(asked.pull, []), minuteMs));
    const ended = settleFakePull(passTime(finishReviews(looking.pull, []), minuteMs));
    expect(ended.situation.gate.state).toBe("success");
    const spent = ended.pull.records.runs.filter(({ trigger }) => trigger.kind === "manual");
    expect(spent.map(({ role }) => role)).toEqual(everybody);
    const fewer = {
      ...ended.pull,
      comments: [],
      records: { ...ended.pull.records, runs: [...pushed(max).records.runs, ...spent] },
    };
    expect(startedRoles(push(fewer, sha(9)))).toEqual(everybody);
  });

  it("are made for the head to which a writer said `enable-reviews`, and not for the next", () => {
    const comments = [aComment(1, rita, "@drover enable-reviews", 50)];
    const seen = settleFakePull({ ...pushed(max + 1), comments });
    const begun = seen.pull.records.runs.filter(({ state }) => state.kind === "running");
    expect(begun.map(({ role }) => role)).toEqual(everybody);
    const next = settleFakePull(push(passTime(finishReviews(seen.pull, []), 10 * minuteMs), sha(9)));
    const running = next.pull.records.runs.filter(({ state }) => state.kind === "running");
    expect(running.map(({ role }) => role)).toEqual(["rules"]);
  });

  it("are not made because a role without cost, which the rules do not name any more, has looked at the head", () => {
    const seen = pushed(max + 1);
    const looked = { ...seen.records, runs: [...seen.records.runs, aRun({ head: sha(max + 1), role: "rules" })] };
    const roles = [{ name: "security", reviewer: "agent" as const }];
    expect(startedRoles({ ...seen, records: looked, rules: rulesWith({ roles }) })).toEqual([]);
  });

  it("are made for one head although the command is not recorded when the next one is pushed", () => {
    const comments = [aComment(1, rita, "@drover enable-reviews", 50)];
    const seen = settleFakePull({ ...pushed(max + 1), comments });
    // The worker died between the beginning of the review and the answer to the command.
    const unrecorded = { ...seen.pull, records: { ...seen.pull.records, commands: [] } };
    const next = settleFakePull(push(passTime(finishReviews(unrecorded, []), 10 * minuteMs), sha(9)));
    expect(runningRoles(next.pull)).toEqual(["rules"]);
    expect(next.pull.records.commands.map(({ head }) => head)).toEqual([sha(max + 1)]);
  });

  it.each(["failed", "interrupted"] as const)("do not count a look that %s before anybody was asked", (kind) => {
    const ended: RunState = kind === "failed" ? { kind, attempts: 1, why: "git", retryAt: at(1) } : { kind };
    expect(startedRoles(pushed(max + 1, { state: ended }))).toEqual(["rules"]);
    expect(startedRoles(pushed(max + 1, { state: ended, droppedMicroUsd: 0 }))).toEqual(everybody);
  });

  it("are made for a head that was pushed before a writer said `enable-reviews` and that is first seen after it", () => {
    const waiting = passTime(
      { ...pushed(max + 1), comments: [aComment(1, rita, "@drover enable-reviews", 50)] },
      minuteMs,
    );
    const seen = settleFakePull(push(waiting, sha(9), { isTimeTold: false }));
    expect(runningRoles(seen.pull)).toEqual(everybody);
    // A worker may die between answering the command and beginning the review.
    const died = { ...seen.pull, records: { ...seen.pull.records, runs: pushed(max + 1).records.runs } };
    expect(startedRoles(died)).toEqual(everybody);
    const next = settleFakePull(push(passTime(finishReviews(seen.pull, []), 10 * minuteMs), sha(10)));
    expect(runningRoles(next.pull)).toEqual(["rules"]);
  });

  it("take back the approval of an earlier head, which must not pass for one of this", () => {
    const approved = settleFakePull({ ...anObservation({ rules }), observedAt: at(10) });
    const first = settleFakePull(passTime(finishReviews(approved.pull, []), minuteMs));
    expect(first.pull.records.published.map(({ verdict }) => verdict)).toEqual(["approve", "approve", "approve"]);
    const bounded = { ...first.pull, rules: rulesWith({ outsiderReviewsMax: 1 }) };
    const next = settleFakePull(push(passTime(bounded, minuteMs), sha(2)));
    const last = settleFakePull(passTime(finishReviews(next.pull, []), minuteMs));
    expect(last.pull.reviews.map(({ state }) => state)).toEqual(["dismissed", "dismissed", "dismissed", "commented"]);
    expect(settleFakePull(passTime(last.pull, minuteMs)).done).toEqual([]);
  });
});

/** Somebody has asked for a review, and it was granted. */
function request(comment: string, by = ada): CommandRecord {
  return CommandRecord.parse({
    comment,
    word: "review",
    by: by.id,
    at: at(1),
    head: null,
    outcome: "obeyed",
    forMs: null,
  });
}

const cancelled: RunState = { kind: "cancelled", by: "newer_head" };
const refused: RunState = {
  kind: "completed",
  at: at(5),
  coverage: { filesRead: 0, unread: [{ path: "a.ts", why: "budget" }] },
  findings: [],
  summary: "",
};

describe("what counts as paid", () => {
  it.each<[string, Partial<ReviewRun>, readonly string[]]>([
    [
      "a look that was cancelled before anybody was asked does not",
      { state: cancelled, droppedMicroUsd: 0 },
      everybody,
    ],
    ["a look that was cancelled half-way does", { state: cancelled, droppedMicroUsd: 7 }, ["rules"]],
    ["a cancelled look of which nobody knows yet does", { state: cancelled }, ["rules"]],
    ["a look that was interrupted does", { state: { kind: "interrupted" } }, ["rules"]],
    ["a look that a cap refused does not", { state: refused }, everybody],
  ])("%s", (_, over, expected) => {
    expect(startedRoles(pushed(max + 1, over))).toEqual(expected);
  });

  it("a look that a writer asked for does not, also when the words are deleted", () => {
    const seen = pushed(40);
    const runs = seen.records.runs.map((run): ReviewRun => {
      return { ...run, trigger: { kind: "manual", comment: CommentId.parse(`7${run.startedAt}`), by: rita.id } };
    });
    // Without a word of hers on the pull nobody asks the forge about rita.
    const forgotten = { ...seen, permissions: permissions({ ada: "read" }), records: { ...seen.records, runs } };
    expect(startedRoles(forgotten)).toEqual(everybody);
  });

  it("a look that a writer asked for does where the author's pushes had it begun anew", () => {
    const trigger = { kind: "manual", comment: CommentId.parse("7"), by: rita.id } as const;
    const comments = [aComment(7, rita, "@drover review", 1)];
    const seen = { ...pushed(max + 2, { trigger, state: cancelled }), comments };
    const commands = [request("7", rita)];
    expect(startedRoles({ ...seen, records: { ...seen.records, commands } })).toEqual(["rules"]);
    const fewer = pushed(max + 1, { trigger, state: cancelled });
    const helped = { ...fewer, comments, records: { ...fewer.records, commands } };
    expect(startedRoles({ ...helped, rules: rulesWith({ automatic: "disabled" }) })).toEqual(everybody);
  });

  it("a look that failed counts once, whatever became of the next attempt", () => {
    const failed: RunState = { kind: "failed", attempts: 1, why: "no answer", retryAt: at(2) };
    const after = (heads: number, next: Partial<ReviewRun>): Observation => {
      const seen = pushed(heads, next);
      const runs = seen.records.runs.flatMap((run) => {
        const { droppedMicroUsd: _, ...first } = run;
        return [
          { ...first, state: failed },
          { ...run, startedAt: at(50) },
        ];
      });
      return { ...seen, records: { ...seen.records, runs } };
    };
    expect(startedRoles(after(max + 1, { state: cancelled, droppedMicroUsd: 0 }))).toEqual(["rules"]);
    expect(startedRoles(after(max, {}))).toEqual(everybody);
    expect(startedRoles(after(max + 1, {}))).toEqual(["rules"]);
  });

  it("requests and heads are counted together", () => {
    const commands = [request("7")];
    const two = pushed(max);
    expect(startedRoles({ ...two, records: { ...two.records, commands } })).toEqual(["rules"]);
  });

  it("a request is paid for anew where its author pushed while it was looked into", () => {
    const comment = CommentId.parse("7");
    const trigger = { kind: "manual", comment, by: ada.id } as const;
    const seen = pushed(max + 1, { trigger, state: cancelled });
    const commands = [request("7")];
    const comments = [aComment(7, ada, "@drover review", 1)];
    const begun = settleFakePull({ ...seen, comments, records: { ...seen.records, commands } });
    const paid = begun.pull.records.runs.filter(({ role, state }) => role !== "rules" && state.kind === "running");
    expect(paid).toEqual([]);
    expect(begun.done).toContainEqual(expect.objectContaining({ kind: "escalate", severity: "info" }));
  });
});

type Step = (pull: FakePull) => FakePull;

const anyStep: fc.Arbitrary<{ readonly name: string; readonly step: Step }> = fc.oneof(
  fc.integer({ min: 1, max: 6 }).map((number) => ({
    name: `push ${number}`,
    step: (pull: FakePull) => push(pull, sha(number)),
  })),
  fc.constantFrom("review", "cancel", "enable-reviews", "disable-reviews").map((word) => ({
    name: `ada: ${word}`,
    step: (pull: FakePull) => say(pull, ada, `@drover ${word}`),
  })),
  fc.constantFrom(
    { name: "rita: review", step: (pull: FakePull) => say(pull, rita, "@drover review") },
    { name: "finish", step: (pull: FakePull) => finishReviews(pull, []) },
    { name: "ada deletes", step: withoutWordsOf },
    {
      name: "other base",
      step: (pull: FakePull) =>
        changePull(pull, {
          base: { branch: pull.pull.base.branch === "main" ? "next" : "main", since: pull.observedAt },
        }),
    },
  ),
);

function withoutWordsOf(pull: FakePull): FakePull {
  return { ...pull, comments: pull.comments.filter(({ author }) => author.id !== ada.id) };
}

describe("whatever somebody without write permission does", () => {
  it("no paid role is begun more often than the rules say, and a writer can always have the head reviewed", () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 25 }), fc.boolean(), (steps, isOptIn) => {
        const start = anObservation({
          observedAt: at(1),
          rules: rulesWith({ automatic: isOptIn ? "disabled" : "enabled" }),
          records: someRecords(),
        });
        let life = settleFakePull(start);
        const begun = [...life.done];
        for (const { step } of steps) {
          life = settleFakePull(passTime(step(passTime(life.pull, minuteMs)), minuteMs));
          begun.push(...life.done);
        }
        for (const role of ["general", "security"]) {
          const own = begun.filter(
            (action) =>
              action.kind === "start_review" &&
              action.role === role &&
              (action.trigger.kind === "automatic" || action.trigger.by === ada.id),
          );
          expect(own.length).toBeLessThanOrEqual(max);
        }
        let helped = settleFakePull(say(passTime(life.pull, minuteMs), rita, "@drover review"));
        for (let rounds = 0; rounds < 4; rounds++) {
          helped = settleFakePull(passTime(finishReviews(helped.pull, []), minuteMs));
        }
        expect(helped.situation.gate.state).toBe("success");
      }),
      { numRuns: 150 },
    );
  });
});
