import type { BudgetRefusal } from "#core/budget/choose-offer.ts";
import { formatInstant } from "#core/model/instant.ts";
import type { Observation } from "#core/model/observation.ts";
import type { SessionRecord } from "#core/model/records.ts";
import type { Fixing, SessionTrouble } from "#core/model/situation.ts";
import { never } from "#core/never.ts";
import { budgetRefusalWords } from "#core/words/budget-words.ts";
import { counted } from "#core/words/counted.ts";
import { outgoing } from "#core/words/outgoing.ts";
import { codeSpan, plainLine } from "#core/words/plain-text.ts";
import { shortSha } from "#core/words/short-sha.ts";

const causeCharactersMax = 500;

export function sessionTrouble(trouble: SessionTrouble, handle: string): string {
  const cause = plainLine(trouble.cause, causeCharactersMax);
  const text = trouble.isUnbegun
    ? `**Fixing cannot begin.** ${cause} Drover goes on trying, at least every hour.`
    : `**Fixing stopped after ${counted(trouble.count, "attempt", "attempts")}.** ${cause} A person should take over. ${tryAgain(handle)}`;
  return outgoing(text, handle);
}

export function tooManyRounds(handle: string): string {
  return outgoing(
    `**Fixing has reached its limit of rounds** for this pull. A person should take over, or raise ${codeSpan("fix.roundsMax")}. ${tryAgain(handle)}`,
    handle,
  );
}

function tryAgain(handle: string): string {
  return `${codeSpan(`${handle} fix`)} starts another attempt.`;
}

export function fixingNote(fixing: Fixing): string | null {
  if (fixing.kind === "exhausted") {
    return fixing.why === "rounds"
      ? "Fixing has reached its limit of rounds"
      : `Fixing stopped after ${counted(fixing.trouble.count, "attempt", "attempts")}. ${causeClause(fixing.trouble)}`;
  }
  if (fixing.kind !== "waiting" || fixing.trouble === null) return null;
  const { trouble, until } = fixing;
  const what = trouble.isUnbegun ? "Fixing could not begin" : "The last fixing session came to nothing";
  return `${what}. ${causeClause(trouble)}. The next attempt is at ${formatInstant(until)}`;
}

/** Without its full stop, since a sentence may go on after it. */
function causeClause({ cause }: SessionTrouble): string {
  return plainLine(cause, causeCharactersMax).replace(/\.$/, "");
}

export function fixingWords(fixing: Fixing): string {
  switch (fixing.kind) {
    case "off":
      return `off: ${offWords[fixing.why]}`;
    case "idle":
      return "nothing to do";
    case "start":
      return `begins, for ${purposeWords[fixing.purpose]}`;
    case "running":
      return fixing.mustStop ? "a session runs and is to be stopped" : "a session runs";
    case "waiting":
      return fixingNote(fixing) ?? `begins at ${formatInstant(fixing.until)}, unless there are new remarks before that`;
    case "exhausted":
      return fixingNote(fixing) ?? "stopped";
    default:
      return never(fixing);
  }
}

const offWords = {
  not_configured: "not switched on",
  stopped: "stopped by `stop-fixing`",
  fork: "the head is in a fork, where Drover cannot push",
  closed: "the pull is not open",
  held: "the pull is held",
  draft: "the pull is a draft",
  eyes: "a reviewer is looking at it",
  approved: "the head is approved",
} as const satisfies Record<Extract<Fixing, { readonly kind: "off" }>["why"], string>;

const purposeWords = {
  command: "a command",
  feedback: "remarks",
  checks: "failed checks",
  conflict: "a conflict",
} as const satisfies Record<SessionRecord["purpose"], string>;

export function unpaidSession(refusal: BudgetRefusal, handle: string): string {
  return outgoing(
    `**Fixing waits for money.** ${budgetRefusalWords(refusal, "the session goes on by itself")}`,
    handle,
  );
}

export function droppedSession(seen: Observation, session: Pick<SessionRecord, "head" | "feedback">): string {
  const { pull, records, rules } = seen;
  const commands = new Set<string>(records.commands.map(({ comment }) => comment));
  const remarks = session.feedback.filter((id) => !commands.has(id)).length;
  const left = remarks === 0 ? "" : ` ${counted(remarks, "remark", "remarks")} that it was given may be left open.`;
  // Where the head is another one, the session may have pushed it.
  const pushed = pull.head.sha === session.head ? "Nothing of it was pushed." : "What it had not pushed is lost.";
  return outgoing(
    `This pull was ${pull.state} while a fixing session was at work on ${codeSpan(shortSha(session.head))}. ` +
      `The session was ended, and its work is dropped. ${pushed}${left}`,
    rules.handle,
  );
}

export function nothingLeftToFix(head: string, handle: string): string {
  return outgoing(`Nothing was left to fix when the session began at ${codeSpan(shortSha(head))}.`, handle);
}
