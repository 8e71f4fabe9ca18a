import type { TalkJobData } from "#core/model/job.ts";
import { never } from "#core/never.ts";
import { answer } from "#jobs/answer.ts";
import { classify } from "#jobs/classify.ts";
import { endJob } from "#jobs/end-job.ts";
import type { JobEnd, JobPlace } from "#jobs/job.ts";
import { withTurn } from "#jobs/job-turn.ts";
import { resolveDispute } from "#jobs/resolve-dispute.ts";

/** Somebody said something to Drover. Whatever a model makes of it is only words: no more than that follows from it. */
export async function runTalkJob(place: JobPlace, data: TalkJobData): Promise<JobEnd> {
  const { key, task } = data;
  return await endJob(place, data.pull, () =>
    withTurn(place, data.pull, async (turn) => {
      switch (task.kind) {
        case "classify":
          return await classify(place, turn, task);
        case "answer":
          return await answer(place, turn, { key, task });
        case "resolve_dispute":
          return await resolveDispute(place, turn, { key, task });
        default:
          return never(task);
      }
    }),
  );
}
