import {
  type Carrier,
  type ClassificationPage,
  type ProcessState,
  type QuestionAnswer,
  type ReviewBlockData,
  runSubject,
} from "#core/blocks/block.ts";
import type { AcceptedBlock } from "#core/blocks/read-blocks.ts";
import type { Finding } from "#core/model/finding.ts";
import type { CommentId, FindingId } from "#core/model/ids.ts";
import type {
  ClassificationRecord,
  CommandRecord,
  DisputeRecord,
  ManualReviewRecord,
  PublishedReview,
  QuestionRecord,
  Records,
  ReviewRun,
} from "#core/model/records.ts";
import { never } from "#core/never.ts";

/** Stored records win. The process state is taken whole or not: half of it could queue a merge that was taken back. */
export function restoreRecords(
  stored: Records,
  accepted: readonly AcceptedBlock[],
  { isCut = false }: { readonly isCut?: boolean } = {},
): Records {
  const told = sortOut(accepted);
  const findings = fillIn(stored.findings, told.findings, (finding) => finding.id);
  const known = new Set(findings.map(({ id }) => id));
  const runs = told.reviews.map(({ data: { run } }) => (isCut || isWholeRun(run, known) ? run : forgotten(run)));
  return {
    ...(told.process !== null && hasNoProcessState(stored) ? { ...stored, ...told.process } : stored),
    commands: fillIn(stored.commands, told.commands, (record) => record.comment),
    questions: fillIn(stored.questions, questionsOf(told), (record) => record.comment),
    manualReviews: fillIn(stored.manualReviews, told.manualReviews, (record) => record.comment),
    classifications: fillIn(stored.classifications, classificationsOf(told), (one) => `${one.comment} ${one.revision}`),
    disputes: fillIn(stored.disputes, told.disputes, (record) => record.reply),
    findings,
    runs: fillIn(stored.runs, runs, runSubject),
    published: fillIn(stored.published, told.reviews.flatMap(publishedOf), (review) => review.review),
  };
}

/** A run whose findings are lost would look clean and approve its head, so the head is read anew. */
function isWholeRun({ state }: ReviewRun, known: ReadonlySet<FindingId>): boolean {
  return state.kind !== "completed" || state.findings.every((id) => known.has(id));
}

function forgotten(run: ReviewRun): ReviewRun {
  return { ...run, state: { kind: "interrupted" } };
}

interface Told {
  process: ProcessState | null;
  readonly commands: CommandRecord[];
  readonly questions: QuestionRecord[];
  readonly answers: { readonly data: QuestionAnswer; readonly carriers: readonly Carrier[] }[];
  readonly manualReviews: ManualReviewRecord[];
  readonly disputes: DisputeRecord[];
  readonly classifications: ClassificationPage[];
  readonly findings: Finding[];
  readonly reviews: { readonly data: ReviewBlockData; readonly carriers: readonly Carrier[] }[];
}

function sortOut(accepted: readonly AcceptedBlock[]): Told {
  const told: Told = {
    process: null,
    commands: [],
    questions: [],
    answers: [],
    manualReviews: [],
    disputes: [],
    classifications: [],
    findings: [],
    reviews: [],
  };
  for (const each of accepted) sortIn(told, each);
  // The last of a role's published reviews is the live one.
  told.reviews.sort((one, other) => one.data.run.startedAt - other.data.run.startedAt);
  return told;
}

function sortIn(told: Told, { block, carriers }: AcceptedBlock): void {
  switch (block.type) {
    case "process-state":
      told.process = block.data;
      return;
    case "command":
      told.commands.push(block.data);
      return;
    case "question":
      told.questions.push(foundFailure(block.data, carriers));
      return;
    case "question-answer":
      told.answers.push({ data: block.data, carriers });
      return;
    case "manual-pr-review":
      told.manualReviews.push(block.data);
      return;
    case "dispute-resolution":
      told.disputes.push(foundDispute(block.data, carriers));
      return;
    case "review-finding":
      told.findings.push(block.data);
      return;
    case "review":
      told.reviews.push({ data: block.data, carriers });
      return;
    case "classification":
      told.classifications.push(block.data);
      return;
    default:
      never(block);
  }
}

/** The comment that says so does not know its own id: it is where the block was found. */
function foundFailure(record: QuestionRecord, carriers: readonly Carrier[]): QuestionRecord {
  if (record.status !== "FAILED" || record.answer !== null) return record;
  const said = carriers.find((carrier) => carrier.kind !== "review");
  return said === undefined ? record : { ...record, answer: said.id };
}

/** The reply does not know its own id either. It stands in a thread; notes do not. */
function foundDispute(record: DisputeRecord, carriers: readonly Carrier[]): DisputeRecord {
  if (record.answer !== undefined && record.answer !== null) return record;
  const said = carriers.find((carrier) => carrier.kind === "thread_comment");
  return said === undefined ? record : { ...record, answer: said.id };
}

/** In the order in which they were made, or all pages would be cut and written anew. */
function classificationsOf({ classifications }: Told): readonly ClassificationRecord[] {
  return classifications.toSorted((left, right) => left.page - right.page).flatMap(({ remarks }) => remarks);
}

function hasNoProcessState(stored: Records): boolean {
  const { heads, approvals, status, escalations, mergeQueued, closedThreads, sessions, spentMicroUsd } = stored;
  const lists = [heads, approvals, escalations, closedThreads, sessions];
  const times = [stored.marker, stored.readySince, stored.feedback];
  const isUnnoted = times.every((time) => time === undefined);
  return (
    lists.every((list) => list.length === 0) &&
    status === null &&
    mergeQueued === null &&
    spentMicroUsd === 0 &&
    isUnnoted
  );
}

function fillIn<Item>(stored: readonly Item[], told: readonly Item[], keyOf: (item: Item) => string): readonly Item[] {
  const known = new Set(stored.map(keyOf));
  return [...told.filter((item) => !known.has(keyOf(item))), ...stored];
}

/** An answer that stands is proof enough that its wording was answered. */
function questionsOf(told: Told): readonly QuestionRecord[] {
  const questions = new Map<CommentId, QuestionRecord>(told.questions.map((record) => [record.comment, record]));
  for (const { data, carriers } of told.answers) {
    const answer = carriers.flatMap((carrier) => (carrier.kind === "review" ? [] : [carrier.id])).at(0);
    if (answer === undefined) continue;
    const question = questions.get(data.comment);
    const isAnswered = question === undefined || question.revision === data.revision;
    // An edited question waits for its new answer, which is an edit of the one that stands.
    const record: QuestionRecord = isAnswered
      ? { ...data, status: "ANSWERED", answer: question?.answer ?? answer }
      : { ...question, answer: question.answer ?? answer };
    questions.set(data.comment, record);
  }
  return [...questions.values()];
}

function publishedOf({ data, carriers }: Told["reviews"][number]): readonly PublishedReview[] {
  const review = carriers.find((carrier) => carrier.kind === "review");
  if (data.published === null || review?.kind !== "review") return [];
  return [{ role: data.run.role, head: data.run.head, review: review.id, ...data.published }];
}
