import { latestChecks } from "#core/derive/checks.ts";
import { isObeyed } from "#core/derive/commands.ts";
import type { People } from "#core/derive/people.ts";
import type { CommentId } from "#core/model/ids.ts";
import type { Observation } from "#core/model/observation.ts";
import type { SessionRecord } from "#core/model/records.ts";
import type { Feedback, Fixing, Heads, SaidCommand } from "#core/model/situation.ts";

interface Context {
  readonly commands: readonly SaidCommand[];
  readonly feedback: readonly Feedback[];
  readonly heads: Heads;
  readonly people: People;
}

/** Whether a coding session is to run, and on what. One session per pull at a time. */
export function deriveFixing(seen: Observation, context: Context): Fixing {
  const running = seen.records.sessions.findLast((session) => session.state.kind === "running");
  const off = offReason(seen, context);
  const feedback = actionable(seen, context);
  if (running !== undefined) {
    const given = new Set(running.feedback);
    const toSend = off === null ? feedback.filter((id) => !given.has(id)) : [];
    const mustStop = off === "stopped" || off === "closed";
    return { kind: "running", session: running.id, toSend: mustStop ? [] : toSend, mustStop };
  }
  if (off !== null) return { kind: "off", why: off };
  const purpose = purposeOf(seen, context, feedback);
  if (purpose === null) return { kind: "idle" };
  const exhausted = exhaustion(seen, context, purpose);
  return exhausted ?? { kind: "start", purpose, feedback: [...asked(seen, context), ...feedback] };
}

function offReason(seen: Observation, context: Context): "not_configured" | "stopped" | "fork" | "closed" | null {
  if (seen.pull.state !== "open") return "closed";
  const last = context.commands.findLast(isFixCommand);
  if (last?.command.word === "stop-fixing") return "stopped";
  if (seen.pull.head.isFork) return "fork";
  const { onFeedback, onRedChecks, onConflict } = seen.rules.fix;
  return last !== undefined || onFeedback || onRedChecks || onConflict ? null : "not_configured";
}

function isFixCommand(said: SaidCommand): boolean {
  return ["fix", "stop-fixing"].includes(said.command.word) && isObeyed(said);
}

/**
 * A `fix` that no session has made something of. It goes by the sessions, not by the acknowledgement: a crash between the
 * two must not lose the request, and a session that failed is tried again.
 */
function asked(seen: Observation, context: Context): readonly CommentId[] {
  const last = context.commands.findLast(isFixCommand);
  if (last?.command.word !== "fix") return [];
  const isDone = seen.records.sessions.some(
    (session) => session.feedback.includes(last.comment) && !isFruitless(session),
  );
  return isDone ? [] : [last.comment];
}

function isFruitless(session: SessionRecord): boolean {
  return session.state.kind === "stalled" || session.state.kind === "failed";
}

/** Feedback of people whose words may start a session. The others are answered by people. */
function actionable(seen: Observation, context: Context): readonly string[] {
  const { allowedUsers } = seen.rules.fix;
  const isAllowed = (one: Feedback): boolean => {
    if (allowedUsers.kind === "everyone") return true;
    if (allowedUsers.kind === "writers") return context.people.isWriter(one.author);
    return allowedUsers.people.some((login) => login.toLowerCase() === one.login.toLowerCase());
  };
  return context.feedback.filter(isAllowed).map((one) => one.id);
}

function purposeOf(seen: Observation, context: Context, feedback: readonly string[]): SessionRecord["purpose"] | null {
  const { sha } = context.heads.current;
  const tried = (purpose: SessionRecord["purpose"]): boolean =>
    seen.records.sessions.some(
      (session) => session.purpose === purpose && session.state.kind === "pushed" && session.head === sha,
    );
  if (asked(seen, context).length > 0) return "command";
  if (seen.rules.fix.onFeedback && feedback.length > 0) return "feedback";
  const isRed = latestChecks(seen, sha).some((check) => check.state === "failed");
  if (seen.rules.fix.onRedChecks && isRed && !tried("checks")) return "checks";
  const isConflicting = seen.pull.mergeability.kind === "conflicting";
  return seen.rules.fix.onConflict && isConflicting && !tried("conflict") ? "conflict" : null;
}

/** Attempts without a commit are counted for one purpose and head, or one command; rounds over the life of the pull. */
function exhaustion(seen: Observation, context: Context, purpose: SessionRecord["purpose"]): Fixing | null {
  const { sessions } = seen.records;
  const { attemptsMax, roundsMax } = seen.rules.fix;
  const rounds = sessions.filter((session) => session.state.kind === "pushed").length;
  if (purpose !== "command" && rounds >= roundsMax) return { kind: "exhausted", why: "rounds", subject: "pull" };
  const [command] = asked(seen, context);
  const subject = purpose === "command" ? (command ?? "") : context.heads.current.sha;
  const isSame = (session: SessionRecord): boolean =>
    purpose === "command"
      ? session.feedback.includes(subject)
      : session.purpose === purpose && session.head === subject;
  const fruitless = sessions.filter((session) => isFruitless(session) && isSame(session));
  return fruitless.length >= attemptsMax ? { kind: "exhausted", why: "attempts", subject } : null;
}
