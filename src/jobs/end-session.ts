import { changeRecords, type Turn } from "#act/turn.ts";
import type { SessionId } from "#core/model/ids.ts";
import { after } from "#core/model/instant.ts";
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
  readonly meanings?: SessionRecord["meanings"];
  readonly left?: SessionRecord["left"];
}

/** Writes down how a session ended, unless somebody has stopped it meanwhile. */
export async function endSession(place: JobPlace, turn: Turn, ending: Ending): Promise<JobEnd> {
  stopIfLost(place);
  const { session, state, feedback = session.feedback, meanings, left } = ending;
  const endedAt = after(turn.seen.observedAt, Math.max(0, place.parts.clock.now() - turn.askedAt));
  await changeRecords(turn, (records) => {
    const known = findRunningSession(records, { session: session.id });
    if (known === undefined) return records;
    const told = { ...(meanings === undefined ? {} : { meanings }), ...(left === undefined ? {} : { left }) };
    const ended: SessionRecord = { ...known, ...told, state, feedback, endedAt };
    return { ...records, sessions: records.sessions.map((one) => (one === known ? ended : one)) };
  });
  logEnd(place, turn, { session, state });
  return finished;
}

function logEnd({ parts }: JobPlace, turn: Turn, { session, state }: Pick<Ending, "session" | "state">): void {
  const facts = { pull: turn.key, session: session.id, purpose: session.purpose, head: session.head, end: state.kind };
  if ("why" in state) parts.log.warn({ ...facts, why: state.why }, "a session came to nothing");
  else parts.log.info(facts, "a session has ended");
}
