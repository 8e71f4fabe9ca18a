import type { Address } from "#core/commands/command.ts";
import { outsiderAnswers } from "#core/derive/outsider-answers.ts";
import type { People } from "#core/derive/people.ts";
import { isSaidAsBefore, type Remark } from "#core/derive/remarks.ts";
import { digestOf } from "#core/model/digest.ts";
import type { Finding } from "#core/model/finding.ts";
import type { CommentId, ThreadId } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import type { Observation } from "#core/model/observation.ts";
import type { ClassificationRecord } from "#core/model/records.ts";
import type { Addressed, Conversation, Dispute, Question } from "#core/model/situation.ts";
import { never } from "#core/never.ts";

/**
 * What people said to Drover in their own words and still wait for. Each remark is followed by its id and wording: a
 * reply that arrives while another is being answered is not covered by that answer.
 */
export function deriveConversation(
  seen: Observation,
  context: { readonly spoken: readonly Spoken[]; readonly people: People },
): Conversation {
  const commanded = new Map(seen.records.commands.map((record) => [record.comment, record.at]));
  const addressed = context.spoken
    .filter((spoken) => isMeant(seen, context.people, spoken) && !wasCommand(spoken, commanded))
    .map(({ remark }) => asAddressed(remark));
  const remarks = context.spoken.map(({ remark }) => remark);
  const answers = outsiderAnswers(seen, { people: context.people, remarks });
  const judged = addressed.map((one) => ({ one, isWithin: answers.take(one) }));
  const open = { unclassified: [] as Addressed[], questions: [] as Question[], reviewRequests: [] as Addressed[] };
  const disputed: Addressed[] = [];
  const book = bookOf(seen);
  for (const { one, isWithin } of judged) if (isWithin) sortIn(one, book, open, disputed);
  const unclassified = inFairOrder(open.unclassified, context.people);
  const unanswered = judged.filter(({ isWithin }) => !isWithin).map(({ one }) => one);
  return { ...open, unclassified, disputes: disputesOf(disputed, book), unanswered };
}

/** In turns among people within the same urgency: whoever says much does not keep others from being read. */
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

/**
 * Who is read first where many wait: those who may write and the author before strangers, and what was said in a thread,
 * which may be a dispute, before the rest.
 */
function urgency(people: People, { remark, thread }: Addressed): number {
  const isPermitted = people.isWriter(remark.author.id) || people.isAuthor(remark.author.id);
  return (isPermitted ? 0 : 2) + (thread === null ? 1 : 0);
}

interface Spoken {
  readonly remark: Remark;
  readonly address: Address;
}

/** The handle was named outside a command, or the remark answers one of Drover's own in its thread. */
function isMeant(seen: Observation, people: People, { remark, address }: Spoken): boolean {
  if (!people.mayConverse(remark.comment.author)) return false;
  // It gets a hint, and one answer is enough.
  if (address.nearMiss !== null && people.mayCommand(remark.comment.author)) return false;
  if (address.prose !== null) return true;
  if (address.command !== null) return false;
  return remark.thread !== null && remark.thread.comments[0]?.author.id === seen.bot.id;
}

/** An earlier version obeyed what this one takes for a sentence: it has its answer. */
function wasCommand(spoken: Spoken, commanded: ReadonlyMap<CommentId, Instant>): boolean {
  const at = commanded.get(spoken.remark.comment.id);
  return at !== undefined && spoken.address.command === null && isSaidAsBefore(spoken, at);
}

function asAddressed(remark: Remark): Addressed {
  return { remark: remark.comment, revision: digestOf(remark.comment.body), thread: remark.thread };
}

/** The records that matter here, by what they are asked for. */
interface Book {
  readonly meanings: ReadonlyMap<string, ClassificationRecord["meaning"]>;
  readonly answered: ReadonlyMap<CommentId, { readonly revision: string; readonly answer: CommentId | null }>;
  readonly settled: ReadonlySet<string>;
  readonly findingOfThread: ReadonlyMap<ThreadId, Finding>;
}

function bookOf(seen: Observation): Book {
  const { records } = seen;
  const answered = records.questions.filter((question) => question.status === "ANSWERED");
  return {
    meanings: new Map(records.classifications.map((one) => [wording(one.comment, one.revision), one.meaning])),
    answered: new Map(answered.map((one) => [one.comment, { revision: one.revision, answer: one.answer }])),
    settled: new Set(records.disputes.map((one) => wording(one.reply, one.revision))),
    findingOfThread: new Map(
      records.findings.flatMap((finding) => (finding.thread === null ? [] : [[finding.thread, finding] as const])),
    ),
  };
}

function wording(comment: CommentId, revision: string): string {
  return `${comment} ${revision}`;
}

function sortIn(
  one: Addressed,
  book: Book,
  open: { unclassified: Addressed[]; questions: Question[]; reviewRequests: Addressed[] },
  disputed: Addressed[],
): void {
  const name = wording(one.remark.id, one.revision);
  const answer = book.answered.get(one.remark.id);
  if (answer?.revision === one.revision || book.settled.has(name)) return;
  const meaning = book.meanings.get(name);
  switch (meaning) {
    case undefined:
      open.unclassified.push(one);
      return;
    case "question":
    case "command":
      open.questions.push({ ...one, earlierAnswer: answer?.answer ?? null });
      return;
    case "review_request":
      open.reviewRequests.push(one);
      return;
    case "dispute":
      // Without a finding there is nothing to dispute, but somebody waits for an answer all the same.
      if (findingOf(one, book) === undefined) open.questions.push({ ...one, earlierAnswer: answer?.answer ?? null });
      else disputed.push(one);
      return;
    case "acknowledgement":
    case "out_of_scope":
    case "nothing":
      return;
    default:
      never(meaning);
  }
}

function findingOf(one: Addressed, book: Book): Finding | undefined {
  return one.thread === null ? undefined : book.findingOfThread.get(one.thread.id);
}

/** One dispute per thread, with all replies that wait. */
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
