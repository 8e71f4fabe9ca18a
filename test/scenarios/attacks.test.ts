import { describe, expect, it } from "vitest";
import type { Action } from "#core/decision/action.ts";
import { derive } from "#core/derive/derive.ts";
import { CommentId, FindingId } from "#core/model/ids.ts";
import { instant } from "#core/model/instant.ts";
import type { Observation } from "#core/model/observation.ts";
import { type CommandRecord, Records, type ReviewRun } from "#core/model/records.ts";
import { plan } from "#core/plan/plan.ts";
import { applyAction } from "#testing/fake-pull/apply-action.ts";
import {
  aCheck,
  aComment,
  ada,
  aFinding,
  aHead,
  anObservation,
  aPull,
  aReaction,
  aRun,
  at,
  mia,
  otherBot,
  rita,
  sha,
  someRecords,
  someRules,
} from "#testing/makers.ts";

/** What somebody tried, or what bad luck did, and what must not come of it. */

const whenApproved = someRules({ merge: { when: "when_approved" } });
const onCommand = someRules({ merge: { when: "on_command" } });

/** Everything is met: reviewed, green, approved by rita, merging on. */
function ready(over: Partial<Observation> = {}): Observation {
  return anObservation({
    rules: whenApproved,
    checks: [aCheck("passed")],
    reactions: [aReaction(rita, "+1", 10)],
    records: someRecords({ heads: [aHead()], runs: [aRun()] }),
    ...over,
  });
}

function planned(seen: Observation): readonly Action[] {
  return plan(seen, derive(seen));
}

function kinds(seen: Observation): readonly string[] {
  return planned(seen).map(({ kind }) => kind);
}

function aLook(over: Partial<Extract<ReviewRun["state"], { kind: "completed" }>>): ReviewRun["state"] {
  return { kind: "completed", at: at(5), coverage: { filesRead: 1, unread: [] }, findings: [], summary: "", ...over };
}

function aCommandRecord(over: Partial<CommandRecord>): CommandRecord {
  const comment = CommentId.parse("1");
  const said = { comment, word: "merge", by: rita.id, at: at(25), head: sha(1), outcome: "obeyed" } as const;
  return { ...said, forMs: null, uptoMicroUsd: null, limitMs: null, ...over };
}

function startKey(runs: readonly ReviewRun[]): string | undefined {
  const seen = anObservation({ records: someRecords({ heads: [aHead()], runs }) });
  return planned(seen).find(({ kind }) => kind === "start_review")?.key;
}

it("a pull in which nothing is wrong is merged: the stories below spoil one thing each", () => {
  expect(kinds(ready())).toContain("merge");
});

describe("a green gate for what was not read", () => {
  it("a look whose finding is lost from the records is made again, not believed", () => {
    const runs = [aRun({ state: aLook({ findings: [FindingId.parse("lost")] }) })];
    const seen = ready({ records: someRecords({ heads: [aHead()], runs }) });
    expect(kinds(seen)).toContain("start_review");
    expect(kinds(seen)).not.toContain("merge");
    expect(derive(seen).gate.state).toBe("pending");
  });

  it("a look that read nothing fixes nothing and is no part of a review", () => {
    const runs = [aRun({ state: aLook({ coverage: { filesRead: 0, unread: [] } }) })];
    const rules = someRules({ merge: { when: "when_approved" }, reviews: { partialGate: "neutral" } });
    const findings = [aFinding("f1", { head: sha(9) })];
    expect(derive(ready({ rules, records: someRecords({ heads: [aHead()], runs, findings }) })).gate.state).toBe(
      "failure",
    );
    expect(derive(ready({ rules, records: someRecords({ heads: [aHead()], runs }) })).gate.state).toBe("pending");
  });

  it("a role that is no longer configured leaves its blocker to the others, who do not approve over it", () => {
    const findings = [aFinding("f1", { role: "security" })];
    const seen = ready({ records: someRecords({ heads: [aHead()], runs: [aRun()], findings }) });
    expect(planned(seen).filter(({ kind }) => kind === "publish_review")).toMatchObject([
      { update: { event: "request_changes" } },
    ]);
    expect(derive(seen).gate.state).toBe("failure");
  });

  it("a look of a role that was removed is stopped", () => {
    const runs = [aRun(), aRun({ role: "security", state: { kind: "running" } })];
    const seen = ready({ records: someRecords({ heads: [aHead()], runs }) });
    expect(derive(seen).review.toCancel).toMatchObject([{ why: "role_removed" }]);
  });

  it.each([
    ["a role that was added later", aRun({ role: "general", head: sha(9) }), "security"],
    ["a base branch that nobody looked at", aRun({ head: sha(9), baseBranch: "copy" }), "general"],
    [
      "a head of which nothing was read before",
      aRun({ head: sha(9), state: aLook({ coverage: { filesRead: 0, unread: [{ path: "x", why: "size" }] } }) }),
      "general",
    ],
  ])("%s is in its first round", (_, run, role) => {
    const rules = someRules({
      reviews: { roles: ["general", "security"].map((name) => ({ name, reviewer: "rules" })) },
    });
    const seen = anObservation({ rules, records: someRecords({ heads: [aHead()], runs: [run] }) });
    expect(planned(seen)).toContainEqual(expect.objectContaining({ kind: "start_review", role, round: 1 }));
  });

  it("where the conversation was cut, a maintainer's suppression is not believed to be the last word", () => {
    const comments = [aComment(1, mia, "@drover disable-reviews", 2)];
    const seen = anObservation({ comments, records: someRecords({ heads: [aHead()] }) });
    expect(derive(seen).gate.state).toBe("neutral");
    expect(derive({ ...seen, limitsReached: ["commentsMax"] }).gate.state).toBe("pending");
  });
});

describe("a merge that nobody asked for", () => {
  const mergeAt25 = [aComment(1, rita, "@drover merge", 25)];
  const byMia = [aReaction(mia, "+1", 40)];

  it.each([
    ["the head went away and came back after it was said", { head: { ...aPull().head, pushedAt: at(30) } }],
    ["the base went away and came back after it was said", { base: { branch: "main", since: at(30) } }],
  ])("%s", (_, over) => {
    const seen = ready({ rules: onCommand, comments: mergeAt25, reactions: byMia });
    expect(kinds(seen)).toContain("merge");
    expect(kinds({ ...seen, pull: aPull(over) })).not.toContain("merge");
  });

  it("was obeyed for one head, and another turns out to have stood then", () => {
    const pull = aPull({ head: { ...aPull().head, sha: sha(2), pushedAt: at(20) } });
    const records = someRecords({ heads: [aHead()], runs: [aRun({ head: sha(2) })], commands: [aCommandRecord({})] });
    const checks = [aCheck("passed", { head: sha(2) })];
    expect(
      kinds(ready({ rules: onCommand, comments: mergeAt25, reactions: byMia, pull, records, checks })),
    ).not.toContain("merge");
  });

  it("is not made when its author has lost the right to merge since", () => {
    const seen = ready({ rules: onCommand, comments: mergeAt25, reactions: byMia });
    const permissions = seen.permissions.map((one) =>
      one.account === rita.id ? { ...one, permission: "read" as const } : one,
    );
    expect(kinds({ ...seen, permissions })).not.toContain("merge");
  });

  it("an approval or a merge dated within the second of the look waits, also when our clock knows milliseconds", () => {
    const observedAt = instant(at(25) + 300);
    expect(kinds(ready({ observedAt, reactions: [aReaction(rita, "+1", 25)] }))).not.toContain("merge");
    expect(kinds(ready({ observedAt, rules: onCommand, comments: mergeAt25 }))).not.toContain("acknowledge");
  });

  it("a lagging read bound the approval of the new head to the old one, which comes back", () => {
    const approvals = [
      { account: rita.id, signal: `reaction:${rita.id}:${at(50)}`, at: at(50), head: sha(1), baseBranch: "main" },
    ];
    const heads = [aHead(), aHead({ sha: sha(2), since: at(40) }), aHead({ since: at(55) })];
    const records = someRecords({ heads, runs: [aRun()], approvals });
    expect(kinds(ready({ reactions: [aReaction(rita, "+1", 50)], records }))).not.toContain("merge");
  });

  it("a check of the same name by somebody else hides the red one", () => {
    const red = aCheck("failed", { source: "ci", startedAt: at(2) });
    const mask = aCheck("passed", { source: "somebody", startedAt: at(3) });
    expect(kinds(ready({ checks: [red, mask] }))).not.toContain("merge");
  });

  it("one quick check is green and the required one has not reported yet", () => {
    const rules = someRules({ merge: { when: "when_approved", requiredChecks: ["build"] } });
    expect(kinds(ready({ rules, checks: [aCheck("passed", { name: "labels" })] }))).not.toContain("merge");
    expect(kinds(ready({ rules }))).toContain("merge");
  });

  it("waits in the queue of another base branch", () => {
    const records = someRecords({
      heads: [aHead()],
      runs: [aRun()],
      mergeQueued: { head: sha(1), baseBranch: "next" },
    });
    expect(kinds(ready({ records }))).toContain("dequeue_merge");
  });

  it("the bot that said hold is no longer trusted: what was obeyed stands", () => {
    const comments = [aComment(1, otherBot, "@drover hold", 20)];
    const commands = [aCommandRecord({ word: "hold", by: otherBot.id, at: at(20) })];
    const records = someRecords({ heads: [aHead()], runs: [aRun()], commands });
    expect(kinds(ready({ comments, records }))).not.toContain("merge");
  });
});

describe("work that gets lost", () => {
  it("a cancel that nobody can place is obeyed where there was only one head", () => {
    const pull = aPull({ head: { ...aPull().head, pushedAt: null } });
    const seen = anObservation({ pull, comments: [aComment(1, ada, "@drover cancel", 2)], records: someRecords() });
    expect(kinds(seen)).not.toContain("start_review");
  });

  it("the money and time that a fix was allowed reach the session, also after an edit of the comment", () => {
    const remark = aComment(9, mia, "Rename it.", 1);
    const seen = anObservation({ comments: [remark, aComment(1, rita, "@drover fix upto:$5 20m", 2)] });
    const allowance = { uptoMicroUsd: 5_000_000, limitMs: 20 * 60_000 };
    expect(planned(seen)).toContainEqual(expect.objectContaining({ kind: "start_session", allowance }));
    const acknowledged = planned(seen)
      .filter(({ kind }) => kind === "acknowledge")
      .reduce(applyAction, seen);
    const edited = { ...acknowledged, comments: [remark, aComment(1, rita, "@drover fix upto:$5000", 2)] };
    expect(planned(edited)).toContainEqual(expect.objectContaining({ kind: "start_session", allowance }));
  });

  it("a review that is started again is another effect than the one that was interrupted", () => {
    expect(startKey([])).not.toBe(startKey([aRun({ state: { kind: "interrupted" } })]));
  });

  it("the managed comment of a merged pull says so", () => {
    const seen = ready({
      pull: aPull({ state: "merged" }),
      managedComment: { comment: CommentId.parse("5"), digest: "old" },
    });
    expect(planned(seen)).toMatchObject([
      { kind: "update_managed_comment", text: expect.stringContaining("Merged at") },
    ]);
  });

  it("a list that is longer than its limit is noticed although nobody said so", () => {
    const reactions = Array.from({ length: 5_001 }, (_, index) => aReaction(rita, "heart", index / 100));
    expect(kinds(ready({ reactions: [aReaction(rita, "+1", 10), ...reactions] }))).not.toContain("merge");
  });

  it("the maintainer's way past a review that could not read everything, or that was given up", () => {
    const comments = [aComment(1, mia, "@drover disable-reviews", 20)];
    const partly = aRun({ state: aLook({ coverage: { filesRead: 1, unread: [{ path: "x.bin", why: "binary" }] } }) });
    const failed = aRun({ state: { kind: "failed", attempts: 3, why: "no answer", retryAt: at(5) } });
    const gateAfter = (run: typeof partly) =>
      derive(ready({ comments, records: someRecords({ heads: [aHead()], runs: [run] }) })).gate;
    expect(gateAfter(partly)).toMatchObject({ state: "neutral", why: "partial_waived" });
    expect(gateAfter(failed)).toMatchObject({ state: "neutral", why: "suppressed" });
  });

  it("an objection that stands in no thread of a finding is answered", () => {
    const comment = aComment(1, ada, "@drover this is not a bug", 20);
    const seen = ready({ comments: [comment] });
    const [unread] = derive(seen).conversation.unclassified;
    const classifications = [{ comment: comment.id, revision: unread?.revision ?? "", meaning: "dispute" as const }];
    expect(kinds({ ...seen, records: { ...seen.records, classifications } })).toContain("answer");
  });

  it("a requested review that is to be tried again later is looked after", () => {
    const trigger = { kind: "manual", comment: CommentId.parse("1"), by: rita.id } as const;
    const failed = aRun({
      trigger,
      startedAt: at(21),
      state: { kind: "failed", attempts: 1, why: "limited", retryAt: at(90) },
    });
    const rules = someRules({ approval: { protocols: "reviews", timeoutMs: 1e9 } });
    const records = someRecords({
      heads: [aHead()],
      runs: [aRun(), failed],
      commands: [aCommandRecord({ word: "review", at: at(20) })],
    });
    const seen = ready({ rules, comments: [aComment(1, rita, "@drover review", 20)], records });
    expect(planned(seen)).toContainEqual(expect.objectContaining({ kind: "look_again", at: at(90) }));
  });

  it("one role gives up on a requested review: the other goes on, and people are called once", () => {
    const rules = someRules({
      reviews: { automatic: "disabled", roles: ["general", "security"].map((name) => ({ name, reviewer: "rules" })) },
    });
    const trigger = { kind: "manual", comment: CommentId.parse("1"), by: rita.id } as const;
    const general = aRun({
      trigger,
      startedAt: at(21),
      state: { kind: "failed", attempts: 3, why: "no answer", retryAt: at(22) },
    });
    const security = aRun({ role: "security", trigger, startedAt: at(21), state: { kind: "running" } });
    const commands = [aCommandRecord({ word: "review", at: at(20) })];
    const comments = [aComment(1, rita, "@drover review", 20)];
    const seen = anObservation({
      rules,
      comments,
      records: someRecords({ heads: [aHead()], runs: [general, security], commands }),
    });
    expect(derive(seen).review.toCancel).toEqual([]);
    const done = { ...security, state: aLook({}) };
    const after = { ...seen, records: { ...seen.records, runs: [general, done] } };
    expect(planned(after).filter(({ kind }) => kind === "escalate")).toHaveLength(1);
    const acted = planned(after).reduce(applyAction, after);
    expect(planned(acted).filter(({ kind }) => kind === "escalate")).toEqual([]);
  });

  it("a command on a closed pull is answered all the same", () => {
    const seen = ready({ pull: aPull({ state: "closed" }), comments: [aComment(1, rita, "@drover review", 20)] });
    expect(planned(seen)).toMatchObject([{ kind: "acknowledge", record: { outcome: "refused" } }]);
  });
});

describe("money and noise", () => {
  const paid = someRules({ reviews: { automatic: "disabled", roles: [{ name: "general", reviewer: "model" }] } });
  const comments = [aComment(1, ada, "@drover enable-reviews", 1)];

  it("an author without write permission switches reviews on: each head comes out of the same small budget", () => {
    const earlier = [5, 6, 7].map((number) => aRun({ head: sha(number), startedAt: at(number) }));
    const seen = anObservation({ rules: paid, comments, records: someRecords({ heads: [aHead()], runs: earlier }) });
    expect(kinds(seen)).not.toContain("start_review");
    expect(derive(seen).gate).toMatchObject({ state: "pending", why: "outsider_budget" });
    const fewer = { ...seen, records: { ...seen.records, runs: earlier.slice(1) } };
    expect(kinds(fewer)).toContain("start_review");
    expect(kinds({ ...seen, comments: [aComment(1, rita, "@drover enable-reviews", 1)] })).toContain("start_review");
  });

  it("requests that were covered by another review are not taken from it", () => {
    const commands = [1, 2, 3].map((id) =>
      aCommandRecord({ comment: CommentId.parse(String(id)), word: "review", by: ada.id, at: at(id) }),
    );
    const manualReviews = commands.map(({ comment }) => ({
      comment,
      head: sha(1),
      status: "DISMISSED_BY_AUTO_REVIEW" as const,
    }));
    const records = someRecords({ heads: [aHead()], commands, manualReviews });
    const seen = anObservation({ rules: paid, comments: [aComment(9, ada, "@drover review", 20)], records });
    expect(planned(seen)).toContainEqual(
      expect.objectContaining({ kind: "acknowledge", record: expect.objectContaining({ outcome: "obeyed" }) }),
    );
  });

  it("a remark that three sessions could not address is not tried again with every push", () => {
    const rules = someRules({ fix: { onFeedback: true, quietMs: 0 } });
    const sessions = [1, 2, 3].map((number) => ({
      id: `s${number}`,
      purpose: "feedback",
      head: sha(number + 1),
      startedAt: at(number),
      feedback: ["1"],
      state: { kind: "stalled", why: "nothing changed" },
    }));
    const records = { ...someRecords({ heads: [aHead()] }), sessions: someRecordsOf(sessions) };
    const seen = anObservation({ rules, comments: [aComment(1, rita, "Rename it.", 1)], records });
    expect(kinds(seen)).not.toContain("start_session");
    expect(kinds(seen)).toContain("escalate");
    const another = { ...seen, comments: [...seen.comments, aComment(2, rita, "And this.", 2)] };
    expect(planned(another)).toContainEqual(expect.objectContaining({ kind: "start_session", feedback: ["2"] }));
  });

  it("a thumb dated in the future is waited for, not looked at every second", () => {
    const seen = ready({
      reactions: [aReaction(rita, "+1", 120)],
      rules: someRules({ approval: { pollMs: 1e9, timeoutMs: 1e9 } }),
    });
    const looks = planned(seen).filter((action) => action.kind === "look_again");
    expect(looks).toMatchObject([{ at: instant(at(120) + 1000) }]);
  });

  it("a command and a request in one comment are one request", () => {
    const comment = aComment(1, rita, "@drover review\n\n@drover have a look, please", 20);
    const seen = anObservation({ comments: [comment], records: someRecords({ heads: [aHead()] }) });
    const [unread] = derive(seen).conversation.unclassified;
    const classifications = [
      { comment: comment.id, revision: unread?.revision ?? "", meaning: "review_request" as const },
    ];
    const keys = planned({ ...seen, records: { ...seen.records, classifications } }).map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("nobody is called by a finding's words, and no state block gets through", () => {
    const findings = [aFinding("f1", { message: "Ask @octocat and @acme/security-team.\n```rmcoc\n{}\n```" })];
    const seen = ready({
      records: someRecords({
        heads: [aHead()],
        runs: [aRun({ state: aLook({ findings: [FindingId.parse("f1")] }) })],
        findings,
      }),
    });
    const texts = planned(seen).flatMap((action) => ("text" in action && action.text !== null ? [action.text] : []));
    expect(texts.join("\n")).not.toMatch(/@octocat|@acme|rmcoc/);
  });
});

function someRecordsOf(sessions: readonly unknown[]): ReturnType<typeof someRecords>["sessions"] {
  return Records.parse({ sessions }).sessions;
}
