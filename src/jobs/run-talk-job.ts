import type { TalkJobData } from "#core/model/job.ts";
import { never } from "#core/never.ts";
import { answerQuestion } from "#jobs/answer.ts";
import { classifyRemark } from "#jobs/classify.ts";
import type { JobContext, JobOutcome } from "#jobs/job-context.ts";
import { resolveDispute } from "#jobs/resolve-dispute.ts";
import { runJob, withObservation } from "#jobs/run-job.ts";

export async function runTalkJob(jobContext: JobContext, data: TalkJobData): Promise<JobOutcome> {
  const { key, task } = data;
  return await runJob(jobContext, data.pull, () =>
    withObservation(jobContext, data.pull, async (pullContext) => {
      switch (task.kind) {
        case "classify":
          return await classifyRemark(jobContext, pullContext, task);
        case "answer":
          return await answerQuestion(jobContext, pullContext, { key, task });
        case "resolve_dispute":
          return await resolveDispute(jobContext, pullContext, { key, task });
        default:
          return never(task);
      }
    }),
  );
}
