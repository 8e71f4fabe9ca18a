import { changeRecords, type Turn } from "#act/turn.ts";
import type { SessionId } from "#core/model/ids.ts";
import type { Records, SessionRecord } from "#core/model/records.ts";
import { finished, stopIfLost } from "#jobs/end-job.ts";
import type { JobEnd, JobPlace } from "#jobs/job.ts";

export function findRunningSession(
  records: Records,
  { session }: { readonly session: SessionId },
): SessionRecord | undefined {
  return records.sessions.find(({ id, state }) => id === session && state.kind === "running");
}

interface Ending {
  readonly session: SessionRecord;
  readonly state: SessionRecord["state"];
  /** What the session is answerable for; else all that it was told at its beginning. */
  readonly feedback?: readonly string[];
}

/** Writes down how a session ended, unless somebody has stopped it meanwhile. */
export async function endSession(place: JobPlace, turn: Turn, { session, state, feedback }: Ending): Promise<JobEnd> {
  stopIfLost(place);
  await changeRecords(turn, (records) => {
    const known = findRunningSession(records, { session: session.id });
    if (known === undefined) return records;
    const ended: SessionRecord = { ...known, state, feedback: feedback ?? session.feedback };
    return { ...records, sessions: records.sessions.map((one) => (one === known ? ended : one)) };
  });
  return finished;
}
