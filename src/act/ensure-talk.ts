import type { Outcome } from "#act/effect.ts";
import type { Turn } from "#act/turn.ts";
import type { ActionOf } from "#core/model/action.ts";
import type { TalkJobData } from "#core/model/job.ts";
import { never } from "#core/never.ts";

type Talk = ActionOf<"classify" | "answer" | "resolve_dispute">;

/** What a model is needed for is a job: the tick never waits for one. */
export async function ensureTalk(turn: Turn, action: Talk): Promise<Outcome> {
  const job: TalkJobData = { pull: turn.ref, key: action.key, task: taskOf(action) };
  const key = `${turn.key}/${action.key}`;
  // One that waits for its next attempt goes on waiting: putting it in again would bring it forward.
  if ((await turn.parts.queue.find({ queue: "talk", key })) !== undefined) return { kind: "done", result: null };
  await turn.parts.queue.put({
    queue: "talk",
    key,
    at: null,
    whileRunning: "skip",
    priority: "priority" in action ? action.priority : 1,
    payload: job,
  });
  return { kind: "done", result: null };
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
