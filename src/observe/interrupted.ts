import { runSubject } from "#core/blocks/block.ts";
import type { Records, ReviewRun, SessionRecord } from "#core/model/records.ts";
import { sessionEndWords } from "#core/words/session-ends.ts";
import type { Dependencies } from "#ports/dependencies.ts";
import type { PullKey } from "#ports/pull-ref.ts";

/** The names of the jobs behind a run and a session: found again by them, and never started twice. */
export function reviewJobKey(pull: PullKey, run: ReviewRun): string {
  return `${pull}/review/${runSubject(run)}`;
}

/** Of the job that settles the batch of a run that is not needed any more. */
export function abandonJobKey(reviewKey: string): string {
  return `${reviewKey}${dropSuffix}`;
}

/** The job whose batch is to be dropped; null where the key is of another kind. No run's name ends like this. */
export function abandonedJobKey(key: string): string | null {
  return key.endsWith(dropSuffix) ? key.slice(0, -dropSuffix.length) : null;
}

const dropSuffix = "/drop";

export function sessionJobKey(pull: PullKey, session: Pick<SessionRecord, "id">): string {
  return `${pull}/session/${session.id}`;
}

/**
 * What is said to run and has no job was interrupted: a worker died between writing it down and starting it. The same
 * records come back where nothing was.
 */
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

/** It is not known that an agent has begun, and it had no result if one has. */
export const interruptedSession: SessionRecord["state"] = {
  kind: "unfinished",
  cause: "not_begun",
  why: sessionEndWords.interrupted,
};

function isAlive({ state }: ReviewRun | SessionRecord): boolean {
  return state.kind === "running";
}
