import { z } from "zod";
import { type CommentEffect, ensureSaid } from "#act/ensure-comment.ts";
import { threadLane, waitForLane } from "#act/ledger.ts";
import { changeRecords, type PullContext } from "#act/pull-context.ts";
import type { BlockContent } from "#core/blocks/block.ts";
import type { BudgetRefusal } from "#core/budget/choose-offer.ts";
import { readBotMessage } from "#core/commands/read-bot-message.ts";
import { type Remark, remarksOf } from "#core/derive/remarks.ts";
import { applyRecordUpdate } from "#core/effects/record-update.ts";
import { digestOf } from "#core/model/digest.ts";
import type { CommentId } from "#core/model/ids.ts";
import { Instant } from "#core/model/instant.ts";
import type { TalkJobData } from "#core/model/job.ts";
import {
  type Asker,
  answerWords,
  failedAnswerWords,
  noAnswerWords,
  noModelWords,
  nothingToAnswerWords,
  putOffReason,
  putOffWords,
} from "#core/words/talk-words.ts";
import { askOnce } from "#jobs/ask-model.ts";
import { talkView } from "#jobs/change-view.ts";
import { aboutData, codeData, elsewhereData, findWording, saidData } from "#jobs/conversation-data.ts";
import { findDeletion } from "#jobs/deleted-answer.ts";
import { finished, type JobContext, type JobOutcome, throwIfLeaseLost } from "#jobs/job-context.ts";
import { addCostOnce, patienceMsMax, type RetryLater, retryStep } from "#jobs/job-retries.ts";
import { lazyComparison } from "#jobs/lazy-comparison.ts";
import { leaveUnanswered, type UnansweredRemarks } from "#jobs/leave-unanswered.ts";
import { answerInstructions, conversationData, promptVersion } from "#jobs/prompts.ts";
import { findStep, rememberStep } from "#jobs/remember-step.ts";
import { jobOutcomeAfter } from "#jobs/run-job.ts";

type Task = Extract<TalkJobData["task"], { readonly kind: "answer" }>;

const Answer = z.strictObject({
  words: z.string(),
  costMicroUsd: z.number().int().nonnegative(),
  failure: z.strictObject({ why: z.string(), retryAt: Instant.nullable() }).optional(),
});
type Answer = z.infer<typeof Answer>;
/** Per wording: the same job answers the next one too, and may meet what a suspended worker left. */
const stepOf = ({ revision }: Task) => ({ name: `answer/${revision}`, schema: Answer });

export async function answerQuestion(
  jobContext: JobContext,
  pullContext: PullContext,
  job: { readonly key: string; readonly task: Task },
): Promise<JobOutcome> {
  const { task } = job;
  const remark = findWording(pullContext, task);
  const known = pullContext.seen.records.questions.find(({ comment }) => comment === task.comment);
  const isAnswered = known?.status === "ANSWERED" && known.revision === task.revision;
  if (remark === undefined || isAnswered) return finished;
  if (known?.status === "ANSWERED" && known.answer !== null) {
    const { answer: given } = known;
    const { store, clock, durations } = jobContext.dependencies;
    const ledger = await store.listObligations(pullContext.key);
    const deletion = findDeletion({ ...pullContext, ledger, now: clock.now(), settleMs: durations.settleMs }, given);
    if (deletion.kind === "unsure") return { kind: "waits", at: deletion.until };
    if (deletion.kind === "deleted") {
      await changeRecords(pullContext, (records) => applyRecordUpdate(records, effectOf(job, remark).note, given));
      return finished;
    }
  }
  const step = stepOf(task);
  const made =
    (await findStep(jobContext, step)) ?? (await compose(jobContext, pullContext, { ...remark, step: step.name }));
  if ("refusal" in made) return await putOff(jobContext, pullContext, { remark, step: step.name, ...made });
  if ("kind" in made) return made;
  const { words, costMicroUsd, failure } = await rememberStep(jobContext, step, async () => made);
  await addCostOnce(jobContext, pullContext, step.name, costMicroUsd);
  throwIfLeaseLost(jobContext);
  if (failure !== undefined)
    return await leaveUnanswered(jobContext, pullContext, unansweredRemark(pullContext, remark, failure));
  const said: CommentEffect = { ...effectOf(job, remark), words };
  // Another answer may exist by now: decides by what is known once nothing is on its way.
  const waiting = await waitForLane(pullContext, { key: job.key, lane: laneOf(remark) });
  if (waiting !== undefined) return jobOutcomeAfter(waiting);
  const stored = await jobContext.dependencies.store.findPull(pullContext.key);
  // It may have been settled as an argument meanwhile.
  if (stored?.records.disputes.some((one) => one.reply === task.comment && one.revision === task.revision) === true)
    return finished;
  const now = stored?.records.questions.find(({ comment }) => comment === task.comment);
  const earlier = now?.answer ?? task.earlierAnswer;
  if (earlier === null) return jobOutcomeAfter(await ensureSaid(pullContext, said, null));
  // A deleted answer is unwanted. After the deletion of a failure notice the answer may still be wanted.
  const comesBack = now?.status === "FAILED";
  return jobOutcomeAfter(
    await ensureSaid(pullContext, { ...said, blocks: blocksOf(task, earlier) }, { comment: earlier, comesBack }),
  );
}

/** One lane for all wordings of a question. */
function laneOf({ comment, thread }: Pick<Remark, "comment" | "thread">): string {
  return thread === null ? `answer/${comment.id}` : threadLane(thread.id);
}

export function unansweredRemark(
  context: PullContext,
  { comment, thread }: Remark,
  failure: { readonly why: string; readonly retryAt: Instant | null },
): UnansweredRemarks {
  const to = askerOf(context, { comment, thread });
  return {
    ...failure,
    wordings: [{ comment: comment.id, revision: digestOf(comment.body) }],
    thread: thread?.id ?? null,
    askedBy: comment.author.login,
    lane: laneOf({ comment, thread }),
    words: (trouble) => failedAnswerWords(trouble, to, context.seen.rules.handle),
  };
}

export interface Refused {
  readonly refusal: BudgetRefusal;
  readonly costMicroUsd: number;
}

/** It is tried again when there is money, so only its cost is stored. */
export async function putOff(
  jobContext: JobContext,
  pullContext: PullContext,
  { remark, step, refusal, costMicroUsd }: Refused & { readonly remark: Remark; readonly step: string },
): Promise<JobOutcome> {
  await addCostOnce(jobContext, pullContext, step, costMicroUsd);
  throwIfLeaseLost(jobContext);
  const { handle } = pullContext.seen.rules;
  const to = askerOf(pullContext, remark);
  return await leaveUnanswered(jobContext, pullContext, {
    ...unansweredRemark(pullContext, remark, {
      why: putOffReason(refusal),
      retryAt: refusal.why === "cap" ? refusal.overAt : null,
    }),
    isPutOff: true,
    words: ({ id }) => putOffWords(refusal, { to, id, handle }),
  });
}

function askerOf({ seen }: PullContext, { comment, thread }: Pick<Remark, "comment" | "thread">): Asker | null {
  if (thread !== null) return null;
  const { id, author, body } = comment;
  const { handle } = seen.rules;
  const isOther = (one: Remark): boolean =>
    one.comment.id !== id &&
    one.comment.author.id === author.id &&
    readBotMessage(one.comment.body, handle).prose !== null;
  return { login: author.login, comment: id, quote: remarksOf(seen).some(isOther) ? body : null };
}

const answerCharactersMax = 16_000;

async function compose(
  jobContext: JobContext,
  pullContext: PullContext,
  { comment, thread, step }: Pick<Remark, "comment" | "thread"> & { readonly step: string },
): Promise<Answer | RetryLater | Refused> {
  const { model } = jobContext.dependencies;
  const { handle } = pullContext.seen.rules;
  const to = askerOf(pullContext, { comment, thread });
  if (!isToBeAnswered(pullContext, comment)) return { words: nothingToAnswerWords(handle), costMicroUsd: 0 };
  if (model === null) return { words: noModelWords(to, handle), costMicroUsd: 0 };
  const compare = lazyComparison(pullContext);
  const asked = await askOnce(jobContext, pullContext, {
    model,
    step,
    purpose: "answer",
    task: answerInstructions,
    about: aboutData(pullContext),
    said: [
      ...elsewhereData(pullContext, thread),
      ...saidData(pullContext, thread),
      ...(await codeData(compare, thread)),
      conversationData("the question", comment.body),
    ],
    view: () => talkView(jobContext, pullContext, { compare, role: null, path: thread?.path ?? null }),
    answerCharactersMax,
  });
  const { costMicroUsd } = asked;
  if (asked.kind === "refused") return { refusal: asked.refusal, costMicroUsd };
  if (asked.kind === "answered" && asked.text.trim() !== "") {
    return { words: answerWords(asked.text, { ...asked, to, handle }), costMicroUsd };
  }
  const { why, retryAt } = asked.kind === "failed" ? asked : silence;
  const again = await retryStep(jobContext, pullContext, { step, retryAt, costMicroUsd }, patienceMsMax);
  return again ?? { words: "", costMicroUsd, failure: { why, retryAt } };
}

/** A remark read late, after a failure notice, may need no answer. */
function isToBeAnswered({ seen }: PullContext, { id, body }: Remark["comment"]): boolean {
  const revision = digestOf(body);
  const read = seen.records.classifications.findLast((one) => one.comment === id && one.revision === revision);
  return read === undefined || ["question", "command", "dispute"].includes(read.meaning);
}

const silence = { why: noAnswerWords.empty, retryAt: null };

function effectOf({ key, task }: { readonly key: string; readonly task: Task }, remark: Remark): CommentEffect {
  const { comment, revision, thread } = task;
  return {
    key,
    kind: "answer",
    lane: laneOf(remark),
    head: null,
    why: {
      askedBy: remark.comment.author.login,
      rule: "a question gets one answer",
      inputs: [comment, revision, promptVersion],
    },
    note: { kind: "answered", question: { comment, revision } },
    thread,
    words: "",
    blocks: blocksOf(task, null),
  };
}

function blocksOf({ comment, revision }: Task, answered: CommentId | null): readonly BlockContent[] {
  return [
    { type: "question", data: { comment, revision, status: "ANSWERED", answer: answered } },
    { type: "question-answer", data: { comment, revision } },
  ];
}
