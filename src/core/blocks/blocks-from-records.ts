import {
  type Block,
  type BlockContent,
  blockKey,
  type Carrier,
  makeBlock,
  type ProcessState,
} from "#core/blocks/block.ts";
import { blockLimits } from "#core/blocks/block-limits.ts";
import type { PublishedReview, QuestionRecord, Records, ReviewRun } from "#core/model/records.ts";

export interface PlacedBlock {
  readonly block: Block;
  /** The text that it is about; null where any text of the bot's will do. */
  readonly carrier: Carrier | null;
}

/** Left out: the oldest classifications and heads beyond their limits, and published reviews without a known run. */
export function blocksOf(records: Records, revisions: ReadonlyMap<string, number>): readonly PlacedBlock[] {
  const contents: readonly PlacedContent[] = [
    anywhere({ type: "process-state", data: processState(records) }),
    ...records.commands.map((data) => anywhere({ type: "command", data })),
    ...records.questions.flatMap(questionBlocks),
    ...records.manualReviews.map((data) => anywhere({ type: "manual-pr-review", data })),
    ...records.disputes.map((data) => anywhere({ type: "dispute-resolution", data })),
    ...records.findings.map((data) => anywhere({ type: "review-finding", data })),
    ...reviewBlocks(records),
    ...classificationBlocks(records),
  ];
  const placed = new Map<string, PlacedBlock>();
  for (const { content, carrier } of contents) {
    const first = makeBlock(content, 0);
    const key = blockKey(first);
    // Of two records about one subject the later one is what holds now.
    placed.set(key, { block: { ...first, revision: revisions.get(key) ?? 0 }, carrier });
  }
  return [...placed.values()];
}

interface PlacedContent {
  readonly content: BlockContent;
  readonly carrier: Carrier | null;
}

function anywhere(content: BlockContent): PlacedContent {
  return { content, carrier: null };
}

function processState(records: Records): ProcessState {
  const newest = records.heads.toSorted((one, other) => one.since - other.since).slice(-blockLimits.headsKeptMax);
  const { approvals, status, escalations, mergeQueued, closedThreads, sessions, spentMicroUsd } = records;
  const { marker, readySince, feedback } = records;
  return {
    heads: newest,
    approvals,
    status,
    escalations,
    mergeQueued,
    closedThreads,
    sessions,
    spentMicroUsd,
    ...(marker === undefined ? {} : { marker }),
    ...(readySince === undefined ? {} : { readySince }),
    ...(feedback === undefined ? {} : { feedback }),
  };
}

function questionBlocks(data: Records["questions"][number]): readonly PlacedContent[] {
  const question = anywhere({ type: "question", data: questionNote(data) });
  if (data.status !== "ANSWERED" || data.answer === null) return [question];
  const { comment, revision } = data;
  return [
    question,
    {
      content: { type: "question-answer", data: { comment, revision } },
      carrier: { kind: "comment", id: data.answer },
    },
  ];
}

/** Without the failure, whoever reads the pull tries a failed question at once. */
export function questionNote(record: QuestionRecord): QuestionRecord {
  if (record.failure === undefined) return record;
  return { ...record, failure: { why: record.failure.why, attempts: 0, retryAt: null } };
}

/** In the order in which they were made, so only the last page changes. */
function classificationBlocks({ classifications }: Records): readonly PlacedContent[] {
  const { classificationsKeptMax, classificationsPerBlock } = blockLimits;
  const kept = classifications.slice(-classificationsKeptMax);
  return Array.from({ length: Math.ceil(kept.length / classificationsPerBlock) }, (_, page) => {
    const remarks = kept.slice(page * classificationsPerBlock, (page + 1) * classificationsPerBlock);
    return anywhere({ type: "classification", data: { page, remarks } });
  });
}

/** The review that carries the block is the one published. */
function reviewBlocks(records: Records): readonly PlacedContent[] {
  const left = [...records.published];
  const inTime = records.runs.toSorted((one, other) => one.startedAt - other.startedAt);
  return inTime.map((run) => {
    const index = left.findIndex((review) => isOf(review, run));
    const [published] = index === -1 ? [] : left.splice(index, 1);
    if (published === undefined) return anywhere({ type: "review", data: { run, published: null } });
    const { verdict, digest } = published;
    return {
      content: { type: "review", data: { run, published: { verdict, digest } } },
      carrier: { kind: "review", id: published.review },
    };
  });
}

function isOf(review: PublishedReview, run: ReviewRun): boolean {
  return review.role === run.role && review.head === run.head;
}
