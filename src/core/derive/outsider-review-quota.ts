import type { People } from "#core/derive/people.ts";
import type { CommentId } from "#core/model/ids.ts";
import type { Observation } from "#core/model/observation.ts";
import type { HeadSeen } from "#core/model/pull.ts";
import type { Records, ReviewRun } from "#core/model/records.ts";
import { isPaidRole } from "#core/review/paid-role.ts";

/** Over the life of the pull. Reviews that a person with write permission asks for are not counted. */
export interface OutsiderReviewQuota {
  used(): number;
  readonly max: number;
  /** Also true where this request took one before. */
  take(comment: CommentId): boolean;
  /** Also for a request whose paid run came to nothing, since the head moved. */
  mayRun(comment: CommentId, head: HeadSeen): boolean;
  /** Not counted as often as a person with write permission switched reviews on for this head. */
  takeHead(head: HeadSeen, askedByWriters: number): boolean;
}

/** Spending is read from the records: deleting a request does not give its review back. */
export function outsiderReviewQuota(seen: Observation, people: People): OutsiderReviewQuota {
  const { roles, outsiderReviewsMax: max } = seen.rules.reviews;
  if (!roles.some(isPaidRole) || isTrusted(seen, people)) {
    return { used: () => 0, max, take: () => true, mayRun: () => true, takeHead: () => true };
  }
  const runs = paidRuns(seen);
  const tally = tallyOf(seen, people, runs);
  const used = (): number => [...tally.values()].reduce((sum, count) => sum + count, 0);
  const takeMore = (name: string): boolean => {
    if (used() >= max) return false;
    tally.set(name, (tally.get(name) ?? 0) + 1);
    return true;
  };
  // The cost of a role that the rules no longer name is unknown, so it pays for no other role.
  const payable = new Set(roles.filter(isPaidRole).map(({ name }) => name));
  const known = runs.filter(({ role, state }) => payable.has(role) && state.kind !== "cancelled");
  const isAlive = (name: string, { sha, baseBranch }: HeadSeen): boolean =>
    known.some((run) => nameOf(run) === name && run.head === sha && run.baseBranch === baseBranch);
  return {
    used,
    max,
    take: (comment) => tally.has(requestName(comment)) || takeMore(requestName(comment)),
    mayRun: (comment, head) => {
      const name = requestName(comment);
      return isAlive(name, head) || !runs.some((run) => nameOf(run) === name) || takeMore(name);
    },
    takeHead: (head, askedByWriters) => {
      const name = headName(head.sha, head.baseBranch);
      return isAlive(name, head) || (tally.get(name) ?? 0) < askedByWriters || takeMore(name);
    },
  };
}

/** If the forge does not tell the author's permission, the answer is no. */
function isTrusted({ pull }: Observation, people: People): boolean {
  return people.isWriter(pull.author.id) || people.isBot(pull.author.id);
}

function paidRuns({ records, rules }: Observation): readonly ReviewRun[] {
  const free = new Set(rules.reviews.roles.filter((role) => !isPaidRole(role)).map(({ name }) => name));
  return records.runs.filter((run) => !free.has(run.role) && !isUnpaid(run));
}

/** Until the cost of a given-up run is known, it counts. */
function isUnpaid({ state, droppedMicroUsd }: ReviewRun): boolean {
  if (state.kind !== "completed") return droppedMicroUsd === 0;
  const { filesRead, unread } = state.coverage;
  return filesRead === 0 && unread.length > 0 && unread.every(({ why }) => why === "budget");
}

/** A request that an automatic review covered has cost nothing. */
function requestsOf({ commands, manualReviews }: Records, people: People): readonly string[] {
  const dismissed = new Set(
    manualReviews.filter(({ status }) => status === "DISMISSED_BY_AUTO_REVIEW").map(({ comment }) => comment),
  );
  return commands
    .filter(({ word, outcome, by }) => word === "review" && outcome === "obeyed" && people.isAuthor(by))
    .filter(({ comment }) => !dismissed.has(comment))
    .map(({ comment }) => requestName(comment));
}

/** Roles review side by side, so the most started role counts. A retry of a failed review is the same review. */
function tallyOf({ records }: Observation, people: People, runs: readonly ReviewRun[]): Map<string, number> {
  const tally = new Map(requestsOf(records, people).map((name) => [name, 1]));
  const byRole = new Map<string, number>();
  // Failed runs come last, and count only where nothing came of the attempts that followed.
  const failed = runs.filter(({ state }) => state.kind === "failed");
  for (const run of [...runs.filter((one) => !failed.includes(one)), ...failed]) {
    const { trigger } = run;
    const name = nameOf(run);
    const ofRole = JSON.stringify([name, run.role]);
    const known = byRole.get(ofRole) ?? 0;
    const count = run.state.kind === "failed" ? Math.max(1, known) : known + 1;
    byRole.set(ofRole, count);
    const free = trigger.kind === "manual" && !people.isAuthor(trigger.by) ? 1 : 0;
    tally.set(name, Math.max(tally.get(name) ?? 0, count - free));
  }
  return tally;
}

function nameOf({ trigger, head, baseBranch }: ReviewRun): string {
  return trigger.kind === "manual" ? requestName(trigger.comment) : headName(head, baseBranch);
}

function requestName(comment: CommentId): string {
  return JSON.stringify(["request", comment]);
}

function headName(head: string, baseBranch: string): string {
  return JSON.stringify(["head", head, baseBranch]);
}
