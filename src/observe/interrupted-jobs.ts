import type { Records, ReviewRun, SessionRecord } from "#core/model/records.ts";
import { sessionEndWords } from "#core/words/session-ends.ts";
import type { Dependencies } from "#ports/dependencies.ts";
import { reviewJobKey, sessionJobKey } from "#ports/job-entries.ts";
import type { PullKey } from "#ports/pull-ref.ts";

/** A worker died between recording a run and starting its job. Without any such run the same records come back. */
export async function markInterrupted(
  dependencies: Pick<Dependencies, "queue">,
  pull: PullKey,
  records: Records,
): Promise<Records> {
  const { queue } = dependencies;
  let isAnyLost = false;
  const runs: ReviewRun[] = [];
  for (const run of records.runs) {
    const isLost = isAlive(run) && (await queue.find({ queue: "review", key: reviewJobKey(pull, run) })) === undefined;
    isAnyLost ||= isLost;
    runs.push(isLost ? { ...run, state: { kind: "interrupted" } } : run);
  }
  const sessions: SessionRecord[] = [];
  for (const session of records.sessions) {
    const key = sessionJobKey(pull, session);
    const isLost = isAlive(session) && (await queue.find({ queue: "session", key })) === undefined;
    isAnyLost ||= isLost;
    sessions.push(isLost ? { ...session, state: interruptedSession } : session);
  }
  return isAnyLost ? { ...records, runs, sessions } : records;
}

/** Whether an agent had begun is unknown; if so, it had no result. */
export const interruptedSession: SessionRecord["state"] = {
  kind: "unfinished",
  cause: "not_begun",
  why: sessionEndWords.interrupted,
};

function isAlive({ state }: ReviewRun | SessionRecord): boolean {
  return state.kind === "running";
}
