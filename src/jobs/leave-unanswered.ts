import { blockContextOf } from "#act/compose-body.ts";
import { ensureSaid, findComment } from "#act/ensure-comment.ts";
import { waitForLane } from "#act/ledger.ts";
import { changeRecords, type PullContext } from "#act/pull-context.ts";
import { backoffMs } from "#core/backoff.ts";
import { questionNote } from "#core/blocks/blocks-from-records.ts";
import { answerRoundsMax } from "#core/derive/conversation.ts";
import { applyRecordUpdate } from "#core/effects/record-update.ts";
import type { CommentId, ThreadId } from "#core/model/ids.ts";
import { after, hourMs, type Instant, minuteMs } from "#core/model/instant.ts";
import type { AnswerFailure } from "#core/model/records.ts";
import { failureId } from "#core/words/failure-id.ts";
import type { Trouble } from "#core/words/talk-words.ts";
import { finished, type JobContext, type JobOutcome } from "#jobs/job-context.ts";
import { promptVersion } from "#jobs/prompts.ts";
import { jobOutcomeAfter } from "#jobs/run-job.ts";

export interface UnansweredRemarks {
  readonly wordings: readonly [Wording, ...Wording[]];
  readonly thread: ThreadId | null;
  readonly askedBy: string;
  /** The lane of the answer: neither may overtake the other. */
  readonly lane: string;
  readonly why: string;
  /** When the model can be asked again, or a cap begins anew. Null: unknown. */
  readonly retryAt: Instant | null;
  /** No attempt was made, for lack of money, so it is tried until there is some. */
  readonly isPutOff?: true;
  readonly words: (trouble: Trouble) => string;
}

interface Wording {
  readonly comment: CommentId;
  readonly revision: string;
}

const whyCharactersMax = 300;
const firstPauseMs = 10 * minuteMs;
const pauseMsMax = 6 * hourMs;

/** The comment with the reason becomes the answer later. The records know that it failed, so it is tried again. */
export async function leaveUnanswered(
  jobContext: JobContext,
  pullContext: PullContext,
  unanswered: UnansweredRemarks,
): Promise<JobOutcome> {
  const { wordings, thread, lane, isPutOff = false } = unanswered;
  const [{ comment, revision }] = wordings;
  const why = unanswered.why.slice(0, whyCharactersMax);
  const key = `unanswered/${comment}/${revision}`;
  const waiting = await waitForLane(pullContext, { key, lane });
  if (waiting !== undefined) return jobOutcomeAfter(waiting);
  const stored = await jobContext.dependencies.store.findPull(pullContext.key);
  const known = (stored?.records.questions ?? []).filter((one) =>
    wordings.some((each) => each.comment === one.comment),
  );
  const isSame = (one: Wording): boolean => wordings.some((each) => each.revision === one.revision);
  const attempts =
    Math.max(0, ...known.filter(isSame).map(({ failure }) => failure?.attempts ?? 0)) + (isPutOff ? 0 : 1);
  const failure: AnswerFailure = { why, attempts, retryAt: nextRound(jobContext, pullContext, unanswered, attempts) };
  const id = failureId(blockContextOf(pullContext), lane);
  jobContext.dependencies.log.warn(
    { pull: pullContext.key, task: lane, id, attempts, why },
    "a remark could not be answered",
  );
  const words = unanswered.words({ why, id, isLast: attempts >= answerRoundsMax });
  const earlier = known.find(({ answer }) => answer !== null)?.answer ?? null;
  const note = { kind: "unanswered" as const, questions: [...wordings], failure };
  if (earlier !== null && findComment(pullContext, earlier)?.body.includes(words) === true) {
    await changeRecords(pullContext, (records) => applyRecordUpdate(records, note, earlier));
    return finished;
  }
  const inputs = [...wordings.map((one) => one.comment), promptVersion];
  const said = await ensureSaid(
    pullContext,
    {
      key,
      kind: "answer",
      lane,
      head: null,
      why: { askedBy: unanswered.askedBy, rule: "what could not be answered is said", inputs },
      note,
      thread,
      words,
      blocks: wordings.map((one) => ({
        type: "question",
        data: questionNote({ ...one, status: "FAILED", answer: earlier, failure }),
      })),
    },
    earlier === null ? null : { comment: earlier, comesBack: false },
  );
  return jobOutcomeAfter(said);
}

/** In the forge's time, since the plan compares it with that. */
function nextRound(
  { dependencies }: JobContext,
  context: PullContext,
  unanswered: UnansweredRemarks,
  attempts: number,
): Instant {
  const now = dependencies.clock.now();
  const toldMs = unanswered.retryAt === null ? null : unanswered.retryAt - now;
  const waitMs = unanswered.isPutOff === true ? putOffMs(toldMs) : pauseMs(toldMs, attempts);
  return after(context.seen.observedAt, Math.max(0, now - context.askedAt) + waitMs);
}

function pauseMs(toldMs: number | null, attempts: number): number {
  return Math.max(backoffMs({ attempt: attempts, firstMs: firstPauseMs, maxMs: pauseMsMax }), toldMs ?? 0);
}

/** There may be money earlier: reservations end, or the operator raises the cap. */
function putOffMs(toldMs: number | null): number {
  return Math.min(hourMs, Math.max(minuteMs, toldMs ?? hourMs));
}
