import { changeRecords, type PullContext } from "#act/pull-context.ts";
import type { SessionId } from "#core/model/ids.ts";
import { after } from "#core/model/instant.ts";
import type { Records, SessionRecord } from "#core/model/records.ts";
import { finished, type JobContext, type JobOutcome } from "#jobs/job-context.ts";
import { throwIfLeaseLost } from "#jobs/job-lease.ts";

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

/** Records how a session ended, unless it was stopped meanwhile. */
export async function endSession(
  jobContext: JobContext,
  pullContext: PullContext,
  ending: Ending,
): Promise<JobOutcome> {
  throwIfLeaseLost(jobContext);
  const { session, state, feedback = session.feedback, meanings, left } = ending;
  const endedAt = after(
    pullContext.seen.observedAt,
    Math.max(0, jobContext.dependencies.clock.now() - pullContext.askedAt),
  );
  await changeRecords(pullContext, (records) => {
    const known = findRunningSession(records, { session: session.id });
    if (known === undefined) return records;
    const told = { ...(meanings === undefined ? {} : { meanings }), ...(left === undefined ? {} : { left }) };
    const ended: SessionRecord = { ...known, ...told, state, feedback, endedAt };
    return { ...records, sessions: records.sessions.map((one) => (one === known ? ended : one)) };
  });
  logEnd(jobContext, pullContext, { session, state });
  return finished;
}

function logEnd(
  { dependencies }: JobContext,
  context: PullContext,
  { session, state }: Pick<Ending, "session" | "state">,
): void {
  const facts = {
    pull: context.key,
    session: session.id,
    purpose: session.purpose,
    head: session.head,
    end: state.kind,
  };
  if ("why" in state) dependencies.log.warn({ ...facts, why: state.why }, "a session ended without a result");
  else dependencies.log.info(facts, "a session has ended");
}
