import type { z } from "zod";
import type { Action, ActionKind, ActionOf } from "#core/decision/action.ts";
import { derive } from "#core/derive/derive.ts";
import type { Account } from "#core/model/account.ts";
import type { Check, Comment, Reaction } from "#core/model/conversation.ts";
import type { Finding, RawFinding } from "#core/model/finding.ts";
import { type CommentId, HeadSha, type PatchId } from "#core/model/ids.ts";
import { minuteMs } from "#core/model/instant.ts";
import type { ClassificationRecord, ReviewRun, RunState } from "#core/model/records.ts";
import type { Rules } from "#core/model/rules.ts";
import { plan } from "#core/plan/plan.ts";
import {
  changePull,
  type FakePull,
  judge,
  newComment,
  passTime,
  push,
  react,
  report,
  say,
  takeReaction,
} from "#testing/fake-pull/fake-pull.ts";
import { finishReviews } from "#testing/fake-pull/finish-reviews.ts";
import { type Settled, settleFakePull } from "#testing/fake-pull/settle-fake-pull.ts";
import { anObservation, aPull, at, someRecords, someRules } from "#testing/makers.ts";

export type SomeRules = z.input<typeof Rules>;

/** Something that happens to the pull. */
export type Event = (pull: FakePull) => FakePull;

/** Every digit the same, so that short and long forms of two heads never look alike. */
export function head(number: 1 | 2 | 3 | 4 | 5 | 6): HeadSha {
  return HeadSha.parse(String(number).repeat(40));
}

/** Ada, who may only read, has just opened a pull. Rita may write, mia is an admin, otto is a stranger. */
export function opened(rules: SomeRules = {}, over: Partial<FakePull["pull"]> = {}): FakePull {
  const first = { sha: head(1), branch: "parser", isFork: false, pushedAt: at(0), patch: null };
  return anObservation({
    observedAt: at(1),
    rules: someRules(rules),
    pull: aPull({ head: first, ...over }),
    records: someRecords(),
  });
}

export const whenApproved: SomeRules = { merge: { when: "when_approved" } };
export const onCommand: SomeRules = { merge: { when: "on_command" } };
/** Nothing is reviewed unless somebody asks. */
export const optIn: SomeRules = { reviews: { automatic: "disabled" } };

/** Roles that cost money. */
export function paidRoles(...names: readonly string[]): { name: string; reviewer: "model" }[] {
  return names.map((name) => ({ name, reviewer: "model" }));
}

/** Drover looks, then everything happens in turn: a minute before each event, and a look a minute after it. */
export function play(start: FakePull, ...events: readonly Event[]): Settled {
  return events.reduce((before, event) => {
    const now = settleFakePull(passTime(event(passTime(before.pull, minuteMs)), minuteMs));
    return { ...now, done: [...before.done, ...now.done] };
  }, settleFakePull(start));
}

/** All of it happens, a minute apart, before Drover looks again: its webhooks were lost, or it was down. */
export function unseen(...events: readonly Event[]): Event {
  return (pull) =>
    events.reduce((before, event, index) => event(index === 0 ? before : passTime(before, minuteMs)), pull);
}

export function done<Kind extends ActionKind>(settled: Settled, kind: Kind): readonly ActionOf<Kind>[] {
  return settled.done.filter((action) => isOf(action, kind));
}

function isOf<Kind extends ActionKind>(action: Action, kind: Kind): action is ActionOf<Kind> {
  return action.kind === kind;
}

/** What Drover would do now, without doing it. */
export function planned(pull: FakePull): readonly Action[] {
  return plan(pull, derive(pull));
}

// What people do.

export function says(who: Account, words: string): Event {
  return (pull) => say(pull, who, words);
}

export function pushes(to: HeadSha, over: { readonly patch?: PatchId; readonly isTimeTold?: boolean } = {}): Event {
  return (pull) => push(pull, to, over);
}

export function reacts(who: Account, content: Reaction["content"]): Event {
  return (pull) => react(pull, who, content);
}

export function thumbs(who: Account): Event {
  return reacts(who, "+1");
}

export function takesBack(who: Account, content: Reaction["content"]): Event {
  return (pull) => takeReaction(pull, who, content);
}

export function judges(who: Account, state: "approved" | "changes_requested" | "commented", words = ""): Event {
  return (pull) => judge(pull, who, state, words);
}

export function changes(over: Partial<FakePull["pull"]>): Event {
  return (pull) => changePull(pull, over);
}

export function retargets(branch: string): Event {
  return (pull) => changePull(pull, { base: { branch, since: pull.observedAt } });
}

export function waits(minutes: number): Event {
  return (pull) => passTime(pull, minutes * minuteMs);
}

export function checks(state: Check["state"]): Event {
  return (pull) => report(pull, state);
}

export const green: Event = checks("passed");

// What the reviewers, the model and the machines do.

/** A finding in a place of its own: `aProblem("leak", 8)` is another one than `aProblem("race", 8)`. */
export function aProblem(rule: string, score: number): Omit<RawFinding, "role"> {
  return {
    rule,
    path: "src/parser.ts",
    side: "new",
    lines: { first: 3, last: 3 },
    snippet: `const ${rule} = dangerous("${rule}");`,
    message: `There is a ${rule} here.`,
    assessment: "It does harm.",
    score,
    suggestion: null,
  };
}

/** Every running review comes back; each finding gets its thread, as on a forge. */
export function reviewed(...found: readonly Omit<RawFinding, "role">[]): Event {
  return (pull) => openThreads(finishReviews(pull, found));
}

/** One role comes back, the others go on. */
export function reviewedBy(role: string, ...found: readonly Omit<RawFinding, "role">[]): Event {
  return (pull) => {
    const others = pull.records.runs.filter((run) => run.role !== role);
    const own = pull.records.runs.filter((run) => run.role === role);
    const after = openThreads(finishReviews(withRuns(pull, own), found));
    return withRuns(after, [...others, ...after.records.runs]);
  };
}

/** The review comes back clean, but one file was too large to be read. */
export const reviewedPartly: Event = (pull) => {
  const unread = [{ path: "src/huge.ts", why: "size" as const }];
  const after = finishReviews(pull, []);
  const runs = after.records.runs.map((run): ReviewRun => {
    if (run.state.kind !== "completed" || run.head !== pull.pull.head.sha) return run;
    return { ...run, state: { ...run.state, coverage: { filesRead: 1, unread } } };
  });
  return withRuns(after, runs);
};

/** Whatever ran, does not run any more. */
export function runsEnd(state: RunState): Event {
  return (pull) => {
    const runs = pull.records.runs.map((run) => (run.state.kind === "running" ? { ...run, state } : run));
    return withRuns(pull, runs);
  };
}

/** The CI run that reviewed was cancelled, or the machine died. */
export const dies: Event = runsEnd({ kind: "interrupted" });

/** The model says what everything means that waits to be understood. */
export function meaning(what: ClassificationRecord["meaning"]): Event {
  return (pull) => {
    const waiting = planned(pull).filter((action) => isOf(action, "classify"));
    const known = waiting.map(({ comment, revision }) => ({ comment, revision, meaning: what }));
    const classifications = [...pull.records.classifications, ...known];
    return { ...pull, records: { ...pull.records, classifications } };
  };
}

function withRuns(pull: FakePull, runs: readonly ReviewRun[]): FakePull {
  return { ...pull, records: { ...pull.records, runs } };
}

/** On paper the findings have the names of threads, but nobody opened them. */
function openThreads(pull: FakePull): FakePull {
  return pull.records.findings.reduce(openThread, pull);
}

function openThread(pull: FakePull, { thread: id, path, lines, message }: Finding): FakePull {
  if (id === null || pull.threads.some((thread) => thread.id === id)) return pull;
  const comments = [newComment(pull, pull.bot, message)];
  return {
    ...pull,
    threads: [...pull.threads, { id, path, line: lines.first, remarked: null, isResolved: false, comments }],
  };
}

// What can be seen on the pull.

function commentSaying(pull: FakePull, words: string): Comment {
  const all = [...pull.comments, ...pull.threads.flatMap((thread) => thread.comments)];
  const found = all.find((comment) => comment.body.includes(words));
  if (found === undefined) throw new Error(`nobody said ${words}`);
  return found;
}

export function idOf(pull: FakePull, words: string): CommentId {
  return commentSaying(pull, words).id;
}

/** Everything that Drover wrote and people can read. */
export function botWords(pull: FakePull): readonly string[] {
  const comments = [...pull.comments, ...pull.threads.flatMap((thread) => thread.comments)];
  const reviews = pull.reviews.filter((review) => review.author.id === pull.bot.id);
  return [
    ...comments.filter((comment) => comment.author.id === pull.bot.id).map((comment) => comment.body),
    ...reviews.map((review) => review.body),
    ...(pull.gate === null ? [] : [pull.gate.words]),
  ];
}

export function managedWords(pull: FakePull): string {
  return pull.comments.find((comment) => comment.id === pull.managedComment?.comment)?.body ?? "";
}

/** What became of each command, in the order in which they were dealt with. */
export function outcomes(pull: FakePull): readonly string[] {
  return pull.records.commands.map((record) => `${record.word}: ${record.outcome}`);
}

/** Reviews of Drover's own as the forge counts them, in the order in which they were submitted. */
export function verdicts(pull: FakePull): readonly string[] {
  return pull.reviews.filter((review) => review.author.id === pull.bot.id).map((review) => review.state);
}

export function runningHeads(pull: FakePull): readonly HeadSha[] {
  return pull.records.runs.filter((run) => run.state.kind === "running").map((run) => run.head);
}
