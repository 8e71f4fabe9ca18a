import type { EffectOutcome } from "#act/effect.ts";
import { ensureComment } from "#act/ensure-comment.ts";
import { changeRecords, originOf, type PullContext } from "#act/pull-context.ts";
import type { ActionOf } from "#core/model/action.ts";
import { SessionId } from "#core/model/ids.ts";
import type { SessionJobData } from "#core/model/job.ts";
import type { SessionRecord } from "#core/model/records.ts";
import { actionKey } from "#core/plan/action-key.ts";
import { sessionJobKey } from "#ports/job-entries.ts";

const done: EffectOutcome = { kind: "done", result: null };

export async function ensureSessionStarted(
  context: PullContext,
  action: ActionOf<"start_session">,
): Promise<EffectOutcome> {
  const id = SessionId.parse(action.key);
  const { head, purpose, feedback, allowance } = action;
  const session: SessionRecord = {
    id,
    purpose,
    head,
    feedback: [...feedback],
    startedAt: context.seen.observedAt,
    state: { kind: "running" },
  };
  await changeRecords(context, (records) =>
    records.sessions.some((known) => known.id === id)
      ? records
      : { ...records, sessions: [...records.sessions, session] },
  );
  const job: SessionJobData = { pull: context.ref, session: id, ...allowance };
  const key = sessionJobKey(context.key, session);
  const entry = { queue: "session", key, at: null, whileRunning: "skip", priority: 4, payload: job } as const;
  await context.dependencies.queue.put({ ...entry, origin: originOf(context) });
  return done;
}

/** The running session gets it too, and gives back what it did not do. */
export async function ensureSessionMessaged(
  context: PullContext,
  action: ActionOf<"message_session">,
): Promise<EffectOutcome> {
  await changeSession(context, action.session, (session) => ({
    ...session,
    feedback: [...new Set([...session.feedback, ...action.feedback])],
  }));
  return done;
}

export async function ensureSessionStopped(
  context: PullContext,
  action: ActionOf<"stop_session">,
): Promise<EffectOutcome> {
  const { session, text } = action;
  await context.dependencies.queue.cancel({ queue: "session", key: sessionJobKey(context.key, { id: session }) });
  // Before the record: while that says "running", a crash leaves the comment to the next tick.
  const told = text === null ? done : await ensureDropTold(context, { session, text });
  if (told.kind === "later") return told;
  await changeSession(context, session, (known) => ({ ...known, state: { kind: "stopped" } }));
  return done;
}

/** Written by the plan or by the session, whichever notices first. */
export async function ensureDropTold(
  context: PullContext,
  { session, text }: { readonly session: SessionId; readonly text: string },
): Promise<EffectOutcome> {
  return await ensureComment(context, {
    key: actionKey("session_dropped", session),
    head: context.seen.pull.head.sha,
    why: { askedBy: `session ${session}`, rule: "the pull ended under a session", inputs: [] },
    note: { kind: "none" },
    kind: "session_report",
    thread: null,
    words: text,
    blocks: [],
  });
}

async function changeSession(
  context: PullContext,
  id: SessionId,
  change: (session: SessionRecord) => SessionRecord,
): Promise<void> {
  await changeRecords(context, (records) => ({
    ...records,
    sessions: records.sessions.map((session) =>
      session.id === id && session.state.kind === "running" ? change(session) : session,
    ),
  }));
}
