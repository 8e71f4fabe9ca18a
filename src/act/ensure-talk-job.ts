import type { EffectOutcome } from "#act/effect.ts";
import { originOf, type PullContext } from "#act/pull-context.ts";
import type { ActionOf } from "#core/model/action.ts";
import type { TalkJobData } from "#core/model/job.ts";
import { never } from "#core/never.ts";
import { actionKey } from "#core/plan/action-key.ts";

type Talk = ActionOf<"classify" | "answer" | "resolve_dispute">;

/** The tick never waits for a model. */
export async function ensureTalkJob(context: PullContext, action: Talk): Promise<EffectOutcome> {
  const job: TalkJobData = { pull: context.ref, key: action.key, task: taskOf(action) };
  const key = `${context.key}/${subjectOf(action)}`;
  // Putting a waiting job again would start it early. As a change it would cause ticks for as long as it waits.
  const isThere = (await context.dependencies.queue.find({ queue: "talk", key })) !== undefined;
  const isLeft = action.kind === "classify" && context.dependencies.mayReadRemark?.(key) === false;
  if (isThere || isLeft) return { kind: "done", result: null, wasThere: true };
  await context.dependencies.queue.put({
    queue: "talk",
    key,
    at: null,
    whileRunning: "skip",
    priority: action.priority,
    payload: job,
    origin: originOf(context),
  });
  return { kind: "done", result: null };
}

/** One job per question or thread: two at once would both answer the first remarks. Later remarks wait for its end. */
function subjectOf(action: Talk): string {
  switch (action.kind) {
    case "classify":
      return action.key;
    case "answer":
      return actionKey("answer", action.comment);
    case "resolve_dispute":
      return actionKey("resolve_dispute", action.thread);
    default:
      return never(action);
  }
}

function taskOf(action: Talk): TalkJobData["task"] {
  switch (action.kind) {
    case "classify": {
      const { kind, comment, revision, thread } = action;
      return { kind, comment, revision, thread };
    }
    case "answer": {
      const { kind, comment, revision, thread, earlierAnswer } = action;
      return { kind, comment, revision, thread, earlierAnswer };
    }
    case "resolve_dispute": {
      const { kind, thread, finding, replies } = action;
      return { kind, thread, finding, replies: [...replies] };
    }
    default:
      return never(action);
  }
}
