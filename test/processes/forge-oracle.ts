import type { Account } from "#core/model/account.ts";
import type { HeadSha } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import type { SentWebhook } from "#forges/sandbox/remote/webhook-sender.ts";
import type { Sandbox, SandboxChange, SandboxPull } from "#forges/sandbox/sandbox.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { readFindingMark, readOwnMarks } from "./own-marks.ts";

/**
 * Judges a Drover from the forge's side alone: by what is to be seen there, and by what was answered to its webhooks. It
 * knows nothing of Drover's database, and asks none of its code.
 */
export interface Judged {
  readonly sandbox: Sandbox;
  readonly bot: Account;
  readonly sent: readonly SentWebhook[];
}

export interface OracleProblem {
  readonly kind: "lost" | "twice";
  readonly pull: PullRef;
  readonly what: string;
}

/** What was promised and is not there yet. While Drover is still at work this is no fault; once it rests, it is one. */
export function findLost(judged: Judged): readonly OracleProblem[] {
  return acceptedPulls(judged).flatMap((promise) =>
    missingFrom(judged, promise).map((what) => ({ kind: "lost" as const, pull: promise.pull, what })),
  );
}

/** A webhook of this pull was answered with 202: from then on it is Drover's to look there, whatever happens to it. */
export interface Promised {
  readonly pull: PullRef;
  /** Of the last such webhook. Whatever had happened by then is to be seen by that look; of what came later nobody was told. */
  readonly at: Instant;
}

export function acceptedPulls({ sent }: Pick<Judged, "sent">): readonly Promised[] {
  const promises = new Map<string, Promised>();
  for (const { delivery, outcome } of sent) {
    if (outcome.kind !== "answered" || outcome.status !== 202) continue;
    const { pull, at } = delivery;
    const key = `${pull.repository.id} ${pull.number}`;
    promises.set(key, { pull, at: latest(promises.get(key)?.at ?? at, at) });
  }
  return [...promises.values()];
}

function latest(one: Instant, other: Instant): Instant {
  return one > other ? one : other;
}

function missingFrom({ sandbox, bot }: Judged, { pull: ref, at }: Promised): readonly string[] {
  const seen = sandbox.look(ref);
  if (seen.pull.state !== "open" || seen.pull.isDraft) return [];
  const byHead = headsSince(sandbox, ref, at).map((head) => missingAt(seen, bot, head));
  // Drover may have seen a later head than the one that it was told of; all of it must be there for one of them.
  const [missing = []] = byHead.sort((left, right) => left.length - right.length);
  const unanswered = unansweredCommands(seen, bot, at).map((comment) => `the command ${comment} has no reaction`);
  return [...missing, ...unanswered];
}

/** The head that stood at that time, and all that came after it. */
function headsSince({ history }: Sandbox, ref: PullRef, at: Instant): readonly HeadSha[] {
  const heads: HeadSha[] = [];
  for (const { pull, what, at: changedAt } of history) {
    // The kind first: of most changes nothing else is of interest here, and there are many.
    if (what.kind !== "opened" && what.kind !== "head_changed") continue;
    if (pull?.number !== ref.number || pull.repository.id !== ref.repository.id) continue;
    if (changedAt <= at) heads.length = 0;
    heads.push(what.kind === "opened" ? what.head : what.to);
  }
  return heads;
}

function missingAt(seen: SandboxPull, bot: Account, head: HeadSha): readonly string[] {
  const missing: string[] = [];
  const gate = seen.gates.findLast((each) => each.by.id === bot.id && each.head === head);
  if (gate === undefined) missing.push(`no gate on ${head}`);
  else if (gate.state === "pending") missing.push(`the gate of ${head} is still pending: ${gate.words}`);
  const managed = textsOf(seen, bot).filter(({ body }) => readOwnMarks(body).kind === "managed");
  if (managed.length === 0) missing.push("no managed comment");
  else if (!managed.some(({ body }) => namesHead(body, head)))
    missing.push(`the managed comment does not name ${head}`);
  const review = seen.reviews.findLast(
    (each) => each.author.id === bot.id && readOwnMarks(each.body).kind === "review",
  );
  if (review === undefined) missing.push("no review");
  else if (!namesHead(review.body, head)) missing.push(`the last review does not speak of ${head}`);
  return missing;
}

/** People are shown the beginning of a commit's id. */
function namesHead(body: string, head: HeadSha): boolean {
  return body.includes(head.slice(0, 7));
}

/** Commands of people until then, each of which Drover has to acknowledge with a reaction. */
function unansweredCommands(
  { comments, commentReactions }: SandboxPull,
  bot: Account,
  until: Instant,
): readonly string[] {
  const answered = new Set(commentReactions.filter(({ author }) => author.id === bot.id).map(({ comment }) => comment));
  return comments
    .filter(({ author, body, createdAt }) => author.id !== bot.id && createdAt <= until && /^@drover \w/.test(body))
    .filter(({ id }) => !answered.has(id))
    .map(({ id }) => id);
}

interface Text {
  readonly body: string;
}

/** Everything that Drover has written on a pull and that is still there. */
function textsOf({ comments, threads, reviews }: SandboxPull, bot: Account): readonly Text[] {
  const said = [...comments, ...threads.flatMap((thread) => thread.comments), ...reviews];
  return said.filter(({ author }) => author.id === bot.id);
}

/**
 * What was sent to the forge more than once, ever: also what Drover itself has blanked since. A kill is no excuse for
 * that, since no worker stood still past its lease.
 */
export function findTwice({ sandbox, bot }: Pick<Judged, "sandbox" | "bot">): readonly OracleProblem[] {
  const counts = new Map<string, { readonly pull: PullRef; readonly what: string; times: number }>();
  for (const change of sandbox.history) {
    if (change.by.id !== bot.id || change.pull === null) continue;
    for (const what of namesOf(sandbox, change, change.pull)) {
      const key = `${change.pull.repository.id} ${change.pull.number} ${what}`;
      const count = counts.get(key) ?? { pull: change.pull, what, times: 0 };
      count.times += 1;
      counts.set(key, count);
    }
  }
  return [...counts.values()]
    .filter(({ times }) => times > 1)
    .map(({ pull, what, times }) => ({ kind: "twice", pull, what: `${what} was sent ${times} times` }));
}

/** The names of the effects that a change consists of; none for what may be said as often as one likes. */
function namesOf(sandbox: Sandbox, { what }: SandboxChange, pull: PullRef): readonly string[] {
  if (what.kind !== "commented" && what.kind !== "reviewed") return [];
  const { effect, kind } = readOwnMarks(what.body);
  const names = effect === null ? [] : [`${what.kind} with the effect ${effect}`];
  // There is one for the whole life of a pull.
  if (kind === "managed") names.push("the managed comment");
  // The one role of the rules in force has one thing to say about a head.
  if (kind === "review" && what.kind === "reviewed") names.push(`the review of ${what.head}`);
  if (what.kind === "reviewed") names.push(...findingsOf(sandbox, pull, what.threads));
  return names;
}

function findingsOf(sandbox: Sandbox, pull: PullRef, threads: readonly string[]): readonly string[] {
  const wanted = new Set(threads);
  return sandbox
    .look(pull)
    .threads.filter(({ id }) => wanted.has(id))
    .flatMap(({ comments }) => {
      const mark = readFindingMark(comments[0]?.body ?? "");
      return mark === null ? [] : [`the finding ${mark}`];
    });
}

export function problemWords(problems: readonly OracleProblem[]): string {
  return problems.map(({ kind, pull, what }) => `${kind}: ${pull.repository.name}#${pull.number}: ${what}`).join("\n");
}
