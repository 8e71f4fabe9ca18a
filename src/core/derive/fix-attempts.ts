import { backoffMs } from "#core/backoff.ts";
import { isReadAs } from "#core/derive/feedback.ts";
import { after, hourMs, type Instant, minuteMs } from "#core/model/instant.ts";
import type { SessionRecord } from "#core/model/records.ts";
import type { Feedback, SessionTrouble } from "#core/model/situation.ts";
import { never } from "#core/never.ts";

export interface FixTask {
  readonly purpose: SessionRecord["purpose"];
  readonly head: SessionRecord["head"];
  readonly command: string | null;
  readonly remarks: readonly Feedback[];
}

export function isFruitlessFor(session: SessionRecord, remark: Pick<Feedback, "id" | "meaning">): boolean {
  return isFruitless(session, remark.id) && isReadAs(session, remark);
}

/** Only sessions that made nothing of it count as attempts. */
function isFruitless({ state, feedback, left }: SessionRecord, id: string): boolean {
  if (state.kind === "pushed") return left?.some((one) => one.id === id) ?? false;
  return (state.kind === "stalled" || state.kind === "failed") && feedback.includes(id);
}

export function failuresInRow(sessions: readonly SessionRecord[], task: FixTask): readonly SessionRecord[] {
  const about = sessions.filter((session) => isFor(session, task));
  return about.slice(about.findLastIndex((session) => !isFailure(session, task)) + 1);
}

function isFor(session: SessionRecord, { purpose, head, command, remarks }: FixTask): boolean {
  switch (purpose) {
    case "command":
      return command !== null && session.feedback.includes(command);
    case "feedback":
      return remarks.some(
        (one) =>
          (session.feedback.includes(one.id) || isFruitless(session, one.id)) &&
          (session.state.kind === "pushed" || isReadAs(session, one)),
      );
    case "checks":
    case "conflict":
      return session.purpose === purpose && session.head === head;
    default:
      return never(purpose);
  }
}

export function attemptsAt(sessions: readonly SessionRecord[], task: FixTask): readonly SessionRecord[] {
  return sessions.filter(
    (session) => isFor(session, task) && isFailure(session, task) && session.state.kind !== "unfinished",
  );
}

function isFailure(session: SessionRecord, { remarks }: FixTask): boolean {
  const { kind } = session.state;
  if (kind === "pushed") return remarks.some((one) => isFruitlessFor(session, one));
  return kind === "stalled" || kind === "failed" || kind === "unfinished";
}

const firstPauseMs = minuteMs;
const pauseMsMax = hourMs;

/** A head that moved asks for quiet only. */
export function nextFixAttemptAt(failures: readonly SessionRecord[], quietMs: number): Instant | null {
  const last = failures.at(-1);
  if (last === undefined) return null;
  const endedAt = last.endedAt ?? last.startedAt;
  if (isMoved(last)) return after(endedAt, quietMs);
  const count = failures.filter((session) => !isMoved(session)).length;
  return after(endedAt, backoffMs({ attempt: count, firstMs: firstPauseMs, maxMs: pauseMsMax }));
}

export function troubleOf(failures: readonly SessionRecord[], task: FixTask, subject: string): SessionTrouble | null {
  const troubled = failures.filter((session) => !isMoved(session));
  const last = troubled.at(-1);
  if (last === undefined) return null;
  const isUnbegun = last.state.kind === "unfinished";
  const alike = troubled.filter(({ state }) => (state.kind === "unfinished") === isUnbegun);
  return { subject, cause: causeOf(last, task), count: alike.length, isUnbegun };
}

function isMoved({ state }: SessionRecord): boolean {
  return state.kind === "unfinished" && state.cause === "head_moved";
}

function causeOf({ state, left = [] }: SessionRecord, { remarks }: FixTask): string {
  if (state.kind === "pushed") return left.find(({ id }) => remarks.some((one) => one.id === id))?.why ?? "";
  return state.kind === "running" || state.kind === "stopped" ? "" : state.why;
}
