import type { BudgetRefusal } from "#core/budget/choose-offer.ts";
import type { Fixing, SessionTrouble } from "#core/decision/situation.ts";
import { formatInstant } from "#core/model/instant.ts";
import type { Observation } from "#core/model/observation.ts";
import type { SessionRecord } from "#core/model/records.ts";
import { never } from "#core/never.ts";
import { budgetRefusalWords } from "#core/words/budget-words.ts";
import { counted } from "#core/words/counted.ts";
import { outgoing } from "#core/words/outgoing.ts";
import { codeSpan, plainLine, plainText } from "#core/words/plain-text.ts";
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

/** Kept with the session, and shown wherever it is told of. */
export const sessionEndWords = {
  headMovedBefore: "The head moved before the session began.",
  headMovedMeanwhile: "The head moved while the session was at work, so its change was not pushed.",
  fork: "The head is in a fork, where Drover cannot push.",
  conflict: "Conflicts cannot be resolved by a session yet.",
  noAgent: "No coding agent is configured.",
  unableAgent: "The coding agent that is configured cannot do this.",
  noHead: "Git does not have the head of this pull.",
  unwritable: "The head names files that no folder may hold.",
  interrupted: "The session was interrupted before it had a result.",
  repeated: "The session made the same change as one before.",
  notFastForward: "The change does not follow the branch.",
  unknownHistory: "The history of the branch is not known.",
  pushRejected: "The forge rejected the push: the branch may be protected, or the token may not write to it.",
} as const;

export function gitFailed(message: string): string {
  return `Git failed: ${message}`;
}

export function repositoryTooLarge(limit: string, max: number): string {
  return `The repository is too large for a session (${limit} ${max}).`;
}

export function overTime(limit: string): string {
  return `The session reached its limit of ${limit}.`;
}

export const notMentioned = "The agent did not report a result for it.";

const reasonsShownMax = 3;

export function withoutChange(reasons: readonly string[]): string {
  const told = [...new Set(reasons.map((reason) => reason.trim()).filter((reason) => reason !== ""))];
  if (told.length === 0) return "The session ended without a change, and the agent did not say why.";
  const more = told.length > reasonsShownMax ? ` (and ${told.length - reasonsShownMax} more reasons)` : "";
  return `The session ended without a change: ${told.slice(0, reasonsShownMax).join(" ")}${more}`;
}

const problemsShownMax = 5;

export function refusedChange(
  problems: readonly { readonly path: string; readonly why: keyof typeof importProblems }[],
): string {
  const shown = problems.slice(0, problemsShownMax).map(({ path, why }) => `${path} ${importProblems[why]}`);
  const more = problems.length - shown.length;
  return `The change was refused: ${shown.join("; ")}${more > 0 ? `; and ${more} more` : ""}.`;
}

const importProblems = {
  link_outside: "is a link that leads out of the repository",
  special_file: "is no ordinary file",
  hard_link: "is a hard link",
  nested_repository: "is a repository of its own",
  submodule_changed: "is a submodule, which sessions do not change",
  protected_path: "is protected",
  odd_name: "has a name that not every system can hold",
  case_collision: "differs from another path by upper and lower case alone",
  unreadable: "could not be read",
  entriesMax: "is one file too many",
  changesMax: "is one changed file too many",
  fileBytesMax: "is too large",
  changedBytesMax: "makes the change too large",
  pathBytesMax: "has a path that is too long",
} as const;

const summaryCharactersMax = 4_000;
const whyCharactersMax = 300;
const linesMax = 50;

export function sessionReply(head: string, handle: string): string {
  return outgoing(`Addressed in ${codeSpan(shortSha(head))}. Please have another look.`, handle);
}

export function suggestionRefused(why: string, handle: string): string {
  const reason = plainLine(why, whyCharactersMax);
  return outgoing(
    `This suggestion was not applied. ${reason} Please suggest it again on the lines as they are now, or change them by hand.`,
    handle,
  );
}

export interface SessionReport {
  readonly head: string;
  readonly summary: string;
  readonly addressedCount: number;
  readonly left: readonly { readonly login: string; readonly why: string }[];
}

export function sessionReport({ head, summary, addressedCount, left }: SessionReport, handle: string): string {
  const done = `Pushed ${codeSpan(shortSha(head))}: ${counted(addressedCount, "remark", "remarks")} addressed. Please have another look.`;
  const said = summary.trim() === "" ? [] : [plainText(summary, summaryCharactersMax)];
  const rest = left
    .slice(0, linesMax)
    .map(({ login, why }) => `- ${codeSpan(login)}: ${plainLine(why, whyCharactersMax)}`);
  const more = left.length > linesMax ? [`- and ${left.length - linesMax} more`] : [];
  const open = left.length === 0 ? [] : [["**Not addressed**", "", ...rest, ...more].join("\n")];
  return outgoing([done, ...said, ...open].join("\n\n"), handle);
}

const subjects = {
  command: "Address review feedback",
  feedback: "Address review feedback",
  checks: "Repair failed checks",
  conflict: "Resolve conflicts with the base branch",
} as const satisfies Record<SessionRecord["purpose"], string>;

/** Nothing in the agent's own words: forges call people and close issues for what a message says. */
export function commitMessage({ id, purpose }: Pick<SessionRecord, "id" | "purpose">): string {
  return `${subjects[purpose]}\n\nMade by a fixing session of Drover (${id}).\n`;
}
