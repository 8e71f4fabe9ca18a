import { outsiderAnswerQuota } from "#core/derive/outsider-answer-quota.ts";
import type { People } from "#core/derive/people.ts";
import { isSaidAsBefore, type Remark, type Spoken } from "#core/derive/remarks.ts";
import { digestOf } from "#core/model/digest.ts";
import type { Finding } from "#core/model/finding.ts";
import type { CommentId, ThreadId } from "#core/model/ids.ts";
import { earliest, type Instant } from "#core/model/instant.ts";
import type { Observation } from "#core/model/observation.ts";
import type { ClassificationRecord, QuestionRecord } from "#core/model/records.ts";
import type { Addressed, Conversation, Dispute, FailedAnswer, Question } from "#core/model/situation.ts";
import { never } from "#core/never.ts";

/** Each remark carries its id and wording, so an answer does not cover a reply that arrives meanwhile. */
export function deriveConversation(
  seen: Observation,
  context: { readonly spoken: readonly Spoken[]; readonly people: People; readonly isLooping: boolean },
): Conversation {
  const commanded = new Map(seen.records.commands.map((record) => [record.comment, record.at]));
  const addressed = context.spoken
    .filter((spoken) => isMeant(seen, context.people, spoken) && !wasCommand(spoken, commanded))
    .map(({ remark }) => asAddressed(remark));
  const remarks = context.spoken.map(({ remark }) => remark);
  const answers = outsiderAnswerQuota(seen, { people: context.people, remarks });
  const judged = addressed.map((one) => ({ one, isWithin: answers.take(one) }));
  const open: Open = { unclassified: [], questions: [], reviewRequests: [], failed: [] };
  const disputed: Addressed[] = [];
  const book = bookOf(seen);
  for (const { one, isWithin } of judged) if (isWithin) sortIn(one, book, open, disputed);
  const unclassified = inFairOrder(open.unclassified, context.people);
  const { isLooping } = context;
  const unanswered = judged.filter(({ isWithin }) => !isWithin).map(({ one }) => one);
  const retryAt = earliest(open.failed.map(({ remark }) => book.failures.get(remark.id)?.retryAt ?? undefined)) ?? null;
  return { ...open, unclassified, disputes: disputesOf(disputed, book), retryAt, unanswered, isLooping };
}

interface Open {
  readonly unclassified: Addressed[];
  readonly questions: Question[];
  readonly reviewRequests: Addressed[];
  readonly failed: FailedAnswer[];
}

/** With pauses that double from ten minutes to six hours, that takes some 17 hours. */
export const answerRoundsMax = 8;

/** Many remarks of one person do not keep others from being read. */
function inFairOrder(waiting: readonly Addressed[], people: People): readonly Addressed[] {
  const counts = new Map<string, number>();
  const ranked = waiting.map((one, at) => {
    const rank = urgency(people, one);
    const who = `${rank} ${one.remark.author.id}`;
    const turn = counts.get(who) ?? 0;
    counts.set(who, turn + 1);
    return { one, rank, turn, at };
  });
  ranked.sort((left, right) => left.rank - right.rank || left.turn - right.turn || left.at - right.at);
  return ranked.map(({ one }) => one);
}

/** Writers and the author come before strangers, and threads, which may be disputes, before the rest. */
function urgency(people: People, { remark, thread }: Addressed): number {
  const isPermitted = people.isWriter(remark.author.id) || people.isAuthor(remark.author.id);
  return (isPermitted ? 0 : 2) + (thread === null ? 1 : 0);
}

/** The handle was named outside a command, or the remark answers one of Drover's own. */
function isMeant(seen: Observation, people: People, { remark, address }: Spoken): boolean {
  if (!people.mayConverse(remark.comment.author)) return false;
  // It gets a hint, and one answer is enough.
  if (address.nearMiss !== null && people.mayCommand(remark.comment.author)) return false;
  if (address.prose !== null) return true;
  if (address.command !== null) return false;
  return remark.thread !== null && remark.thread.comments[0]?.author.id === seen.bot.id;
}

/** An earlier version obeyed what this one takes for a sentence. */
function wasCommand(spoken: Spoken, commanded: ReadonlyMap<CommentId, Instant>): boolean {
  const at = commanded.get(spoken.remark.comment.id);
  return at !== undefined && spoken.address.command === null && isSaidAsBefore(spoken, at);
}

function asAddressed(remark: Remark): Addressed {
  return { remark: remark.comment, revision: digestOf(remark.comment.body), thread: remark.thread };
}

interface Book {
  readonly meanings: ReadonlyMap<string, ClassificationRecord["meaning"]>;
  readonly answered: ReadonlyMap<CommentId, QuestionRecord>;
  readonly failures: ReadonlyMap<CommentId, Waiting>;
  readonly settled: ReadonlySet<string>;
  readonly findingOfThread: ReadonlyMap<ThreadId, Finding>;
}

interface Waiting {
  readonly revision: string;
  readonly why: string;
  readonly retryAt: Instant | null;
}

function bookOf(seen: Observation): Book {
  const { records, observedAt } = seen;
  const answered = records.questions.filter(({ status }) => status === "ANSWERED" || status === "FAILED");
  return {
    meanings: new Map(records.classifications.map((one) => [wording(one.comment, one.revision), one.meaning])),
    answered: new Map(answered.map((one) => [one.comment, one])),
    failures: new Map(answered.flatMap((one) => waitingAnswer(one, observedAt))),
    settled: new Set(records.disputes.map((one) => wording(one.reply, one.revision))),
    findingOfThread: new Map(
      records.findings.flatMap((finding) => (finding.thread === null ? [] : [[finding.thread, finding] as const])),
    ),
  };
}

function waitingAnswer(
  { comment, revision, failure }: QuestionRecord,
  now: Instant,
): readonly (readonly [CommentId, Waiting])[] {
  if (failure === undefined) return [];
  const { why, attempts, retryAt } = failure;
  if (attempts >= answerRoundsMax) return [[comment, { revision, why, retryAt: null }]];
  return retryAt === null || retryAt <= now ? [] : [[comment, { revision, why, retryAt }]];
}

function wording(comment: CommentId, revision: string): string {
  return `${comment} ${revision}`;
}

function sortIn(one: Addressed, book: Book, open: Open, disputed: Addressed[]): void {
  const name = wording(one.remark.id, one.revision);
  const known = book.answered.get(one.remark.id);
  const isKnown = known?.revision === one.revision;
  if ((isKnown && known.status === "ANSWERED") || book.settled.has(name)) return;
  const failure = book.failures.get(one.remark.id);
  if (failure?.revision === one.revision) {
    open.failed.push({ ...one, why: failure.why });
    return;
  }
  const question = { ...one, earlierAnswer: known?.answer ?? null };
  const meaning = book.meanings.get(name);
  switch (meaning) {
    case undefined:
      open.unclassified.push(one);
      return;
    case "question":
    case "command":
      open.questions.push(question);
      return;
    case "review_request":
      open.reviewRequests.push(one);
      if (isKnown) open.questions.push(question);
      return;
    case "dispute":
      if (findingOf(one, book) === undefined) open.questions.push(question);
      else disputed.push(one);
      return;
    case "acknowledgement":
    case "out_of_scope":
    case "nothing":
      // A comment says that it could not be answered: that has to be taken back.
      if (isKnown) open.questions.push(question);
      return;
    default:
      never(meaning);
  }
}

function findingOf(one: Addressed, book: Book): Finding | undefined {
  return one.thread === null ? undefined : book.findingOfThread.get(one.thread.id);
}

function disputesOf(replies: readonly Addressed[], book: Book): readonly Dispute[] {
  const byThread = new Map<ThreadId, Dispute>();
  for (const reply of replies) {
    const { thread } = reply;
    const finding = findingOf(reply, book);
    if (thread === null || finding === undefined) continue;
    const earlier = byThread.get(thread.id)?.replies ?? [];
    byThread.set(thread.id, { thread, finding, replies: [...earlier, reply] });
  }
  return [...byThread.values()];
}
