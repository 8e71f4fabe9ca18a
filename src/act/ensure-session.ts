import { ensureComment } from "#act/comment.ts";
import type { Outcome } from "#act/effect.ts";
import { changeRecords, originOf, type Turn } from "#act/turn.ts";
import type { ActionOf } from "#core/model/action.ts";
import { SessionId } from "#core/model/ids.ts";
import type { SessionJobData } from "#core/model/job.ts";
import type { SessionRecord } from "#core/model/records.ts";
import { actionKey } from "#core/plan/action-key.ts";
import { sessionJobKey } from "#observe/interrupted.ts";

const done: Outcome = { kind: "done", result: null };

export async function ensureSessionStarted(turn: Turn, action: ActionOf<"start_session">): Promise<Outcome> {
  const id = SessionId.parse(action.key);
  const { head, purpose, feedback, allowance } = action;
  const session: SessionRecord = {
    id,
    purpose,
    head,
    feedback: [...feedback],
    startedAt: turn.seen.observedAt,
    state: { kind: "running" },
  };
  await changeRecords(turn, (records) =>
    records.sessions.some((known) => known.id === id)
      ? records
      : { ...records, sessions: [...records.sessions, session] },
  );
  const job: SessionJobData = { pull: turn.ref, session: id, ...allowance };
  const key = sessionJobKey(turn.key, session);
  const entry = { queue: "session", key, at: null, whileRunning: "skip", priority: 4, payload: job } as const;
  await turn.parts.queue.put({ ...entry, origin: originOf(turn) });
  return done;
}

/** What arrives while a session runs is written down with it; the session gives back what it did not get to. */
export async function ensureSessionTold(turn: Turn, action: ActionOf<"message_session">): Promise<Outcome> {
  await changeSession(turn, action.session, (session) => ({
    ...session,
    feedback: [...new Set([...session.feedback, ...action.feedback])],
  }));
  return done;
}

export async function ensureSessionStopped(turn: Turn, action: ActionOf<"stop_session">): Promise<Outcome> {
  const { session, text } = action;
  await turn.parts.queue.cancel({ queue: "session", key: sessionJobKey(turn.key, { id: session }) });
  // Before the record: while that says "running", a crash leaves the word to the next look.
  const told = text === null ? done : await ensureDropTold(turn, { session, text });
  if (told.kind === "later") return told;
  await changeSession(turn, session, (known) => ({ ...known, state: { kind: "stopped" } }));
  return done;
}

/** Said once, whoever finds out first: the plan, or the session itself. */
export async function ensureDropTold(
  turn: Turn,
  { session, text }: { readonly session: SessionId; readonly text: string },
): Promise<Outcome> {
  return await ensureComment(turn, {
    key: actionKey("session_dropped", session),
    head: turn.seen.pull.head.sha,
    why: { askedBy: `session ${session}`, rule: "the pull ended under a session", inputs: [] },
    note: { kind: "none" },
    kind: "session_report",
    thread: null,
    words: text,
    blocks: [],
  });
}

async function changeSession(
  turn: Turn,
  id: SessionId,
  change: (session: SessionRecord) => SessionRecord,
): Promise<void> {
  await changeRecords(turn, (records) => ({
    ...records,
    sessions: records.sessions.map((session) =>
      session.id === id && session.state.kind === "running" ? change(session) : session,
    ),
  }));
}
