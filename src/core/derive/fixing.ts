import type { Approval } from "#core/approval/approval.ts";
import { compareText } from "#core/compare-text.ts";
import { latestChecks } from "#core/derive/checks.ts";
import { isObeyed } from "#core/derive/commands.ts";
import type { People } from "#core/derive/people.ts";
import { foldName } from "#core/fold-name.ts";
import { digestOf } from "#core/model/digest.ts";
import type { CommentId } from "#core/model/ids.ts";
import type { Observation } from "#core/model/observation.ts";
import type { SessionRecord } from "#core/model/records.ts";
import type {
  Feedback,
  Fixing,
  Heads,
  Hold,
  KeepsFromFixing,
  SaidCommand,
  SessionAllowance,
} from "#core/model/situation.ts";
import { never } from "#core/never.ts";

interface Context {
  readonly commands: readonly SaidCommand[];
  readonly feedback: readonly Feedback[];
  readonly heads: Heads;
  readonly people: People;
  readonly approval: Approval;
  readonly hold: Hold;
}

/** Whether a coding session is to run, and on what. One session per pull at a time. */
export function deriveFixing(seen: Observation, context: Context): Fixing {
  const running = seen.records.sessions.findLast((session) => session.state.kind === "running");
  const off = offReason(seen, context);
  const feedback = actionable(seen, context);
  if (running !== undefined) {
    const kept = keptFromFixing(seen, context, running.purpose);
    const given = new Set(running.feedback);
    const toSend = off === null ? feedback.filter((id) => !given.has(id)) : [];
    const mustStop = off === "stopped" || off === "closed" || kept !== null;
    return { kind: "running", session: running.id, toSend: mustStop ? [] : toSend, mustStop };
  }
  if (off !== null) return { kind: "off", why: off };
  const kept = keptFromFixing(seen, context, asked(seen, context).length > 0 ? "command" : null);
  if (kept !== null) return { kind: "off", why: kept };
  const purpose = purposeOf(seen, context, feedback);
  if (purpose === null) return { kind: "idle" };
  const untried = feedback.filter((id) => fruitlessFor(seen, id) < seen.rules.fix.attemptsMax);
  const exhausted = exhaustion(seen, context, purpose, { feedback, untried });
  return (
    exhausted ?? {
      kind: "start",
      purpose,
      feedback: [...asked(seen, context), ...untried],
      allowance: allowanceOf(context),
    }
  );
}

function offReason(seen: Observation, context: Context): "not_configured" | "stopped" | "fork" | "closed" | null {
  if (seen.pull.state !== "open") return "closed";
  const last = context.commands.findLast(isFixCommand);
  if (last?.command.word === "stop-fixing") return "stopped";
  if (seen.pull.head.isFork) return "fork";
  const { onFeedback, onRedChecks, onConflict } = seen.rules.fix;
  return last !== undefined || onFeedback || onRedChecks || onConflict ? null : "not_configured";
}

/**
 * Whoever says `fix` sees the draft, the eyes and the approval and wants it all the same. A hold is somebody's "wait", and
 * only `unhold` takes it back.
 */
function keptFromFixing(
  seen: Observation,
  { approval, hold, people }: Context,
  purpose: SessionRecord["purpose"] | null,
): KeepsFromFixing | null {
  if (hold.kind === "held") return "held";
  if (purpose === "command") return null;
  if (seen.pull.isDraft) return "draft";
  if (approval.status === "approved") return "approved";
  // The eyes of a passer-by must not be able to keep anything from starting.
  if (approval.status !== "in_progress") return null;
  return approval.why.by.some(({ id }) => people.isWriter(id)) ? "eyes" : null;
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

function allowanceOf(context: Context): SessionAllowance {
  const last = context.commands.findLast(isFixCommand)?.command;
  if (last?.kind !== "command" || last.word !== "fix") return { uptoMicroUsd: null, limitMs: null };
  return { uptoMicroUsd: last.uptoMicroUsd, limitMs: last.limitMs };
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
    return allowedUsers.people.some((login) => foldName(login) === foldName(one.login));
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

/** How many sessions came to nothing that were given this remark or command, whatever the head was. */
function fruitlessFor(seen: Observation, id: string): number {
  return seen.records.sessions.filter((session) => isFruitless(session) && session.feedback.includes(id)).length;
}

/**
 * Attempts without a commit are counted for each remark and command, and for red checks and conflicts by head; rounds
 * over the life of the pull.
 */
function exhaustion(
  seen: Observation,
  context: Context,
  purpose: SessionRecord["purpose"],
  remarks: { readonly feedback: readonly string[]; readonly untried: readonly string[] },
): Fixing | null {
  const { sessions } = seen.records;
  const { attemptsMax, roundsMax } = seen.rules.fix;
  const rounds = sessions.filter((session) => session.state.kind === "pushed").length;
  if (purpose !== "command" && rounds >= roundsMax) return { kind: "exhausted", why: "rounds", subject: "pull" };
  const { sha } = context.heads.current;
  switch (purpose) {
    case "command": {
      const [command = ""] = asked(seen, context);
      return fruitlessFor(seen, command) >= attemptsMax
        ? { kind: "exhausted", why: "attempts", subject: command }
        : null;
    }
    case "feedback": {
      const subject = digestOf(JSON.stringify(remarks.feedback.toSorted(compareText)));
      return remarks.untried.length === 0 ? { kind: "exhausted", why: "attempts", subject } : null;
    }
    case "checks":
    case "conflict": {
      const tried = sessions.filter((one) => isFruitless(one) && one.purpose === purpose && one.head === sha);
      return tried.length >= attemptsMax ? { kind: "exhausted", why: "attempts", subject: sha } : null;
    }
    default:
      return never(purpose);
  }
}
