import type { Approval } from "#core/approval/approval.ts";
import { latestChecks } from "#core/derive/checks.ts";
import { hadNothingToDo, isObeyed } from "#core/derive/commands.ts";
import { attemptsAt, failuresInRow, isFruitlessFor, nextFixAttemptAt, troubleOf } from "#core/derive/fix-attempts.ts";
import type { People } from "#core/derive/people.ts";
import { foldName } from "#core/fold-name.ts";
import type { Finding } from "#core/model/finding.ts";
import type { CommentId } from "#core/model/ids.ts";
import { after, type Instant, instant } from "#core/model/instant.ts";
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

interface Context {
  readonly commands: readonly SaidCommand[];
  readonly feedback: readonly Feedback[];
  readonly heads: Heads;
  readonly people: People;
  readonly approval: Approval;
  readonly hold: Hold;
}

/** One session per pull at a time. */
export function deriveFixing(seen: Observation, context: Context): Fixing {
  const running = seen.records.sessions.findLast((session) => session.state.kind === "running");
  const off = offReason(seen, context);
  const remarks = actionable(seen, context);
  if (running !== undefined) {
    const given = new Set(running.feedback);
    const isStillAsked = context.commands.some((said) => isFixCommand(said) && given.has(said.comment));
    const kept = keptFromFixing(seen, context, isStillAsked ? running.purpose : null);
    const toSend = off === null ? remarks.map(({ id }) => id).filter((id) => !given.has(id)) : [];
    const isUnwanted = off === "stopped" || off === "closed" || kept !== null;
    // The new head may be the session's own push, which the session has to report itself.
    const mustStop = isUnwanted && running.head === context.heads.current.sha;
    return { kind: "running", session: running.id, toSend: isUnwanted ? [] : toSend, mustStop };
  }
  if (off !== null) return { kind: "off", why: off };
  const command = askedBy(seen, context);
  const kept = keptFromFixing(seen, context, command === null ? null : "command");
  if (kept !== null) return { kind: "off", why: kept };
  const purpose = purposeOf(seen, context, { command, remarks });
  if (purpose === null) return { kind: "idle" };
  const wish = { purpose, command, remarks };
  return exhaustion(seen, context, wish) ?? begin(seen, context, wish);
}

interface Wish {
  readonly purpose: SessionRecord["purpose"];
  readonly command: CommentId | null;
  readonly remarks: readonly Feedback[];
}

function begin(seen: Observation, context: Context, wish: Wish): Fixing {
  const { quietMs } = seen.rules.fix;
  const { purpose, command, remarks } = wish;
  // A `fix` asks for another try of everything.
  const given = purpose === "command" ? remarks : untried(seen, remarks);
  const task = { purpose, head: context.heads.current.sha, command, remarks: given };
  const failures = failuresInRow(seen.records.sessions, task);
  const nextAt = nextFixAttemptAt(failures, quietMs) ?? seen.observedAt;
  const quietAt = purpose === "feedback" ? quietUntil(given, quietMs) : seen.observedAt;
  if (nextAt > seen.observedAt || quietAt > seen.observedAt) {
    const trouble = troubleOf(failures, task, subjectOf(seen, wish));
    return nextAt > quietAt
      ? { kind: "waiting", why: "back_off", until: nextAt, trouble }
      : { kind: "waiting", why: "quiet", until: quietAt, trouble };
  }
  const ids = given.map(({ id }) => id);
  return {
    kind: "start",
    purpose,
    feedback: command === null ? ids : [command, ...ids],
    allowance: allowanceOf(context),
  };
}

function quietUntil(remarks: readonly Feedback[], quietMs: number): Instant {
  return remarks
    .map(({ writtenAt }) => after(writtenAt, quietMs))
    .reduce((last, at) => (at > last ? at : last), instant(0));
}

export function hasSomethingToFix(seen: Observation, context: Pick<Context, "feedback" | "people" | "heads">): boolean {
  if (actionable(seen, context).length > 0 || seen.records.findings.some(isMendable)) return true;
  const { onRedChecks, onConflict } = seen.rules.fix;
  return (onRedChecks && hasRedChecks(seen, context.heads)) || (onConflict && isConflicting(seen));
}

/** People decide about findings that are disputed or escalated. */
export function isMendable({ state, side }: Finding): boolean {
  return state.kind === "open" && side === "new";
}

function offReason(seen: Observation, context: Context): "not_configured" | "stopped" | "fork" | "closed" | null {
  if (seen.pull.state !== "open") return "closed";
  const last = context.commands.findLast(isFixCommand);
  if (last?.command.word === "stop-fixing") return "stopped";
  if (seen.pull.head.isFork) return "fork";
  const { onFeedback, onRedChecks, onConflict } = seen.rules.fix;
  return last !== undefined || onFeedback || onRedChecks || onConflict ? null : "not_configured";
}

/** The author of a `fix` sees the draft, the eyes and the approval. A hold ends only by `unhold`. */
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
  return ["fix", "stop-fixing"].includes(said.command.word) && (isObeyed(said) || hadNothingToDo(said));
}

/** Goes by the sessions, not by the acknowledgement: a crash between the two must not lose the request. */
function askedBy(seen: Observation, context: Context): CommentId | null {
  const last = context.commands.findLast(isFixCommand);
  if (last?.command.word !== "fix" || !isObeyed(last)) return null;
  const isDone = seen.records.sessions.some(
    ({ feedback, state }) => feedback.includes(last.comment) && doneStates.has(state.kind),
  );
  return isDone ? null : last.comment;
}

const doneStates: ReadonlySet<SessionRecord["state"]["kind"]> = new Set(["running", "pushed", "stopped"]);

function allowanceOf(context: Context): SessionAllowance {
  const last = context.commands.findLast(isFixCommand)?.command;
  if (last?.kind !== "command" || last.word !== "fix") return { uptoMicroUsd: null, limitMs: null };
  return { uptoMicroUsd: last.uptoMicroUsd, limitMs: last.limitMs };
}

function actionable(seen: Observation, context: Pick<Context, "feedback" | "people">): readonly Feedback[] {
  const { allowedUsers } = seen.rules.fix;
  const isAllowed = (one: Feedback): boolean => {
    if (allowedUsers.kind === "everyone") return true;
    if (allowedUsers.kind === "writers") return context.people.isWriter(one.author);
    return allowedUsers.people.some((login) => foldName(login) === foldName(one.login));
  };
  return context.feedback.filter(isAllowed);
}

function purposeOf(
  seen: Observation,
  { heads }: Context,
  { command, remarks }: Omit<Wish, "purpose">,
): SessionRecord["purpose"] | null {
  const tried = (purpose: SessionRecord["purpose"]): boolean =>
    seen.records.sessions.some(
      (session) => session.purpose === purpose && session.state.kind === "pushed" && session.head === heads.current.sha,
    );
  if (command !== null) return "command";
  const { onFeedback, onRedChecks, onConflict } = seen.rules.fix;
  if (onFeedback && remarks.length > 0) return "feedback";
  if (onRedChecks && hasRedChecks(seen, heads) && !tried("checks")) return "checks";
  return onConflict && isConflicting(seen) && !tried("conflict") ? "conflict" : null;
}

function hasRedChecks(seen: Observation, heads: Heads): boolean {
  return latestChecks(seen, heads.current.sha).some((check) => check.state === "failed");
}

function isConflicting({ pull }: Observation): boolean {
  return pull.mergeability.kind === "conflicting";
}

/** Attempts are counted for each remark, over all heads. */
function untried(seen: Observation, remarks: readonly Feedback[]): readonly Feedback[] {
  const { attemptsMax } = seen.rules.fix;
  return remarks.filter(
    (one) => seen.records.sessions.filter((session) => isFruitlessFor(session, one)).length < attemptsMax,
  );
}

/** Attempts without a commit count per remark and command, and per head for red checks and conflicts. */
function exhaustion(seen: Observation, context: Context, wish: Wish): Fixing | null {
  const { purpose, command, remarks } = wish;
  const { attemptsMax, roundsMax } = seen.rules.fix;
  if (purpose !== "command" && roundsOf(seen) >= roundsMax) return { kind: "exhausted", why: "rounds" };
  if (purpose === "feedback" && untried(seen, remarks).length > 0) return null;
  const task = { purpose, head: context.heads.current.sha, command, remarks };
  const trouble = troubleOf(attemptsAt(seen.records.sessions, task), task, subjectOf(seen, wish));
  if (trouble === null) return null;
  const isOver = purpose === "feedback" || trouble.count >= attemptsMax;
  return isOver ? { kind: "exhausted", why: "attempts", trouble } : null;
}

function roundsOf({ records }: Observation): number {
  return records.sessions.filter((session) => session.state.kind === "pushed").length;
}

/** What cannot be done at one head is no news at the next; a push of ours makes it another matter. */
function subjectOf(seen: Observation, { purpose, command }: Wish): string {
  return command ?? `${purpose} ${roundsOf(seen)}`;
}
