import { z } from "zod";
import { changeRecords, type PullContext } from "#act/pull-context.ts";
import type { Remark } from "#core/derive/remarks.ts";
import { replaceByKey } from "#core/effects/record-update.ts";
import { Instant } from "#core/model/instant.ts";
import type { TalkJobData } from "#core/model/job.ts";
import { ClassificationRecord } from "#core/model/records.ts";
import { asksWaiver } from "#core/review/read-waiver.ts";
import { noAnswerWords } from "#core/words/talk-words.ts";
import { putOff, type Refused, unansweredRemark } from "#jobs/answer.ts";
import { askModel } from "#jobs/ask-model.ts";
import { aboutData, findWording, saidData } from "#jobs/conversation-data.ts";
import { finished, type JobContext, type JobOutcome, throwIfLeaseLost } from "#jobs/job-context.ts";
import { addCostOnce, patienceMsMax, type RetryLater, retryStep } from "#jobs/job-retries.ts";
import { leaveUnanswered } from "#jobs/leave-unanswered.ts";
import { classifyInstructions, conversationData } from "#jobs/prompts.ts";
import { findStep, rememberStep } from "#jobs/remember-step.ts";
import type { Answerer } from "#ports/model.ts";

type Task = Extract<TalkJobData["task"], { readonly kind: "classify" }>;
type Meaning = ClassificationRecord["meaning"];

const Classified = z.strictObject({
  meaning: ClassificationRecord.shape.meaning.nullable(),
  failure: z.strictObject({ why: z.string(), retryAt: Instant.nullable() }).optional(),
  costMicroUsd: z.number().int().nonnegative(),
});
const step = { name: "meaning", schema: Classified };

export async function classifyRemark(
  jobContext: JobContext,
  pullContext: PullContext,
  task: Task,
): Promise<JobOutcome> {
  const { comment, revision } = task;
  const isKnown = (one: ClassificationRecord): boolean => one.comment === comment && one.revision === revision;
  const remark = findWording(pullContext, task);
  if (remark === undefined || pullContext.seen.records.classifications.some(isKnown)) return finished;
  const made = (await findStep(jobContext, step)) ?? (await read(jobContext, pullContext, remark));
  if ("refusal" in made) return await putOff(jobContext, pullContext, { remark, step: step.name, ...made });
  if ("kind" in made) return made;
  const { meaning, costMicroUsd, failure = nothingSaid } = await rememberStep(jobContext, step, async () => made);
  throwIfLeaseLost(jobContext);
  if (meaning === null) {
    // A guess would be kept, and a dispute be answered as a question for good.
    await addCostOnce(jobContext, pullContext, step.name, costMicroUsd);
    return await leaveUnanswered(jobContext, pullContext, unansweredRemark(pullContext, remark, failure));
  }
  await changeRecords(pullContext, (records) =>
    records.classifications.some(isKnown)
      ? records
      : {
          ...records,
          classifications: replaceByKey(
            records.classifications,
            { comment, revision, meaning },
            (one) => `${one.comment} ${one.revision}`,
          ),
          spentMicroUsd: records.spentMicroUsd + costMicroUsd,
        },
  );
  return finished;
}

async function read(
  jobContext: JobContext,
  pullContext: PullContext,
  remark: Remark,
): Promise<z.infer<typeof Classified> | RetryLater | Refused> {
  const { model } = jobContext.dependencies;
  const ruled = byRules(pullContext, remark, model);
  if (ruled !== null || model === null) return { meaning: ruled ?? "nothing", costMicroUsd: 0 };
  const asked = await askModel(jobContext, pullContext, {
    model,
    step: step.name,
    purpose: "classify",
    task: classifyInstructions,
    about: aboutData(pullContext),
    // Without code: caching it costs more than it helps (docs/decisions/prompts.md).
    said: [...saidData(pullContext, remark.thread), conversationData("the remark", remark.comment.body)],
    schema: Answer,
  });
  const { costMicroUsd } = asked;
  if (asked.kind === "read") return { meaning: asked.value.meaning, costMicroUsd };
  if (asked.kind === "unreadable") return { meaning: inDoubt, costMicroUsd };
  if (asked.kind === "refused") return { refusal: asked.refusal, costMicroUsd };
  const { why, retryAt } = asked;
  const again = await retryStep(jobContext, pullContext, { ...asked, step: step.name }, patienceMsMax);
  return again ?? { meaning: null, costMicroUsd, failure: { why, retryAt } };
}

const nothingSaid = { why: noAnswerWords.noReason, retryAt: null };

const Answer = z.object({ meaning: ClassificationRecord.shape.meaning });

/** Answered in words, so that no person waits in vain and nothing unwanted is done. */
const inDoubt: Meaning = "question";

/** Only the rules recognise a waiver. Without a model, a request counts as a question. */
function byRules({ seen }: PullContext, { comment, thread }: Remark, model: Answerer | null): Meaning | null {
  const isOwnThread = thread?.comments[0]?.author.id === seen.bot.id;
  if (isOwnThread && asksWaiver(comment.body, seen.rules.handle)) return "dispute";
  if (model !== null) return null;
  if (seen.records.findings.some((finding) => finding.thread !== null && finding.thread === thread?.id))
    return "dispute";
  return comment.body.includes("?") ? "question" : "nothing";
}
