import type { Command, MalformedCommand } from "#core/commands/command.ts";
import { headAt } from "#core/commands/head-at.ts";
import type { Heads, RefusalReason, Ruling, SaidCommand } from "#core/decision/situation.ts";
import type { OutsiderReviewQuota } from "#core/derive/outsider-quota.ts";
import type { People } from "#core/derive/people.ts";
import { isSaidAsBefore, type Remark, type Spoken } from "#core/derive/remarks.ts";
import type { Account, Permission } from "#core/model/account.ts";
import { compareIds } from "#core/model/canonical-order.ts";
import { writtenAt } from "#core/model/conversation.ts";
import { digestOf } from "#core/model/digest.ts";
import type { AccountId } from "#core/model/ids.ts";
import { type Instant, wholeSecond } from "#core/model/instant.ts";
import type { Observation } from "#core/model/observation.ts";
import type { HeadSeen } from "#core/model/pull.ts";
import type { CommandRecord, CommandWord } from "#core/model/records.ts";
import { never } from "#core/never.ts";
import { isPaidRole } from "#core/review/paid-role.ts";

/** A recorded command keeps its word, time and outcome through edits of its comment. */
export function deriveCommands(
  seen: Observation,
  context: {
    readonly spoken: readonly Spoken[];
    readonly people: People;
    readonly heads: Heads;
    readonly budget: OutsiderReviewQuota;
  },
): readonly SaidCommand[] {
  const recorded = new Map(seen.records.commands.map((record) => [record.comment, record]));
  const said: SaidCommand[] = [];
  for (const spoken of context.spoken) {
    const record = recorded.get(spoken.remark.comment.id);
    const command = record === undefined ? freshCommand(seen, spoken) : standingCommand(spoken, record);
    const found = command === null ? null : readSaid(seen, context, spoken.remark, command, record);
    if (found !== null) said.push(found);
  }
  const inTime = said.sort((left, right) => left.at - right.at || compareIds(left.comment, right.comment));
  return withinOutsiderBudget(withoutEditedReleases(inTime, context.spoken), context.budget);
}

/** What an earlier version read as a sentence stays one: it was dealt with. */
function freshCommand(seen: Observation, { remark, address }: Spoken): Command | MalformedCommand | null {
  const { comment } = remark;
  if (address.command === null || address.prose !== null) return address.command;
  const known = seen.records.classifications.filter((one) => one.comment === comment.id);
  if (known.length === 0) return address.command;
  const revision = digestOf(comment.body);
  return known.some((one) => one.revision === revision) ? null : address.command;
}

/** An obeyed command outlives edits of its comment as long as the comment names any command. */
function standingCommand(spoken: Spoken, record: CommandRecord): Command | null {
  return spoken.address.namesCommand || isSaidAsBefore(spoken, record.at) ? asRecorded(record) : null;
}

function readSaid(
  seen: Observation,
  context: { readonly people: People; readonly heads: Heads },
  remark: Remark,
  command: Command | MalformedCommand,
  record: CommandRecord | undefined,
): SaidCommand | null {
  const { comment } = remark;
  const permission = mayCommand({
    word: command.word,
    author: comment.author,
    pullAuthor: seen.pull.author,
    permission: context.people.permissionOf(comment.author.id),
    bot: seen.bot,
    trustedBots: seen.rules.trustedBots,
  });
  // What was obeyed stands, also when the operator has stopped trusting the bot that said it.
  if (permission.kind === "ignored" && record === undefined) return null;
  const at = record?.at ?? writtenAt(comment);
  const head = boundHead(seen, context.heads, { word: record?.word ?? command.word, at, record });
  const base = {
    comment: comment.id,
    by: comment.author,
    isWriter: context.people.isWriter(comment.author.id),
    at,
    head,
    command,
  };
  if (record !== undefined) return { ...base, standing: { kind: "consumed", outcome: record.outcome } };
  const refusal = permission.kind === "refused" ? permission.why : refusalBySettings(seen, command);
  return {
    ...base,
    standing: { kind: "fresh", ruling: rule(seen, refusal, command, { at, head, heads: context.heads }) },
  };
}

function boundHead(
  seen: Observation,
  heads: Heads,
  said: {
    readonly word: CommandRecord["word"];
    readonly at: Instant;
    readonly record: CommandRecord | undefined;
  },
): SaidCommand["head"] {
  const { word, at, record } = said;
  if (word === "enable-reviews") {
    return record === undefined ? headReviewedSince(seen, heads, at) : standingHead(heads, at, record.head);
  }
  const stood = headAt(heads.history, at);
  return record !== undefined && record.head !== stood?.sha ? null : stood;
}

/** A crash may lose the record of a command whose review has begun. Without this, each later head is reviewed too. */
function headReviewedSince({ records, rules }: Observation, heads: Heads, at: Instant): SaidCommand["head"] {
  const paid = new Set(rules.reviews.roles.filter(isPaidRole).map(({ name }) => name));
  const begun = records.runs
    .filter(({ trigger, role, startedAt }) => trigger.kind === "automatic" && paid.has(role) && startedAt >= at)
    .toSorted((left, right) => left.startedAt - right.startedAt);
  const first = begun[0];
  const isReviewed = ({ sha, baseBranch }: HeadSeen): boolean => sha === first?.head && baseBranch === first.baseBranch;
  return heads.history.findLast(isReviewed) ?? heads.current;
}

/** `enable-reviews` promises a review of the head that is current then, even if its author has not seen it. */
function standingHead({ history }: Heads, at: Instant, sha: CommandRecord["head"]): SaidCommand["head"] {
  const found = history.find((head, index) => {
    const next = history[index + 1];
    return head.sha === sha && (next === undefined || next.since > at);
  });
  return found ?? null;
}

/** An obeyed command outlives edits of its comment. */
export function asRecorded(record: CommandRecord): Command {
  switch (record.word) {
    case "disable-reviews":
      return { kind: "command", word: record.word, forMs: record.forMs };
    case "fix":
      return { kind: "command", word: record.word, uptoMicroUsd: record.uptoMicroUsd, limitMs: record.limitMs };
    case "review":
    case "cancel":
    case "enable-reviews":
    case "stop-fixing":
    case "merge":
    case "hold":
    case "unhold":
    case "status":
    case "help":
      return { kind: "command", word: record.word };
    default:
      return never(record.word);
  }
}

function refusalBySettings(seen: Observation, command: Command | MalformedCommand): RefusalReason | null {
  if (isTooLate(seen.pull.state, command.word)) return "closed";
  if (command.word === "merge" && seen.rules.merge.when === "never") return "merging_is_off";
  if (command.word === "fix" && seen.pull.head.isFork) return "fork";
  return null;
}

/** A pull that is closed may be opened again, and then it is held or left alone as somebody wished before. */
function isTooLate(state: Observation["pull"]["state"], word: CommandRecord["word"]): boolean {
  if (state === "open" || word === "status" || word === "help") return false;
  return state === "merged" || !["hold", "unhold", "stop-fixing", "disable-reviews"].includes(word);
}

function rule(
  seen: Observation,
  refusal: RefusalReason | null,
  command: Command | MalformedCommand,
  bound: { readonly at: Instant; readonly head: SaidCommand["head"]; readonly heads: Heads },
): Ruling {
  if (refusal !== null) return { kind: "refuse", why: refusal };
  if (command.kind === "malformed") return { kind: "malformed", problem: command.problem };
  if (command.word !== "merge") return { kind: "obey" };
  if (bound.head !== bound.heads.current) return { kind: "void" };
  return bound.at >= wholeSecond(seen.observedAt) ? { kind: "wait" } : { kind: "obey" };
}

const restraintOf: Partial<Record<CommandRecord["word"], CommandRecord["word"]>> = {
  unhold: "hold",
  fix: "stop-fixing",
  "enable-reviews": "disable-reviews",
};

/** A restraint between a comment and its edit stands: forges do not tell whether the command is the older one. */
function withoutEditedReleases(said: readonly SaidCommand[], spoken: readonly Spoken[]): readonly SaidCommand[] {
  const byId = new Map(spoken.map(({ remark }) => [remark.comment.id, remark.comment]));
  return said.map((one) => {
    const comment = byId.get(one.comment);
    const word = restraintOf[one.command.word];
    if (comment === undefined || word === undefined || one.standing.kind !== "fresh" || !isObeyed(one)) return one;
    const isBetween = (other: SaidCommand): boolean =>
      other.command.word === word && isObeyed(other) && other.at >= comment.createdAt && other.at <= one.at;
    if (one.at === comment.createdAt || !said.some(isBetween)) return one;
    return { ...one, standing: { kind: "fresh", ruling: { kind: "refuse", why: "edited_after_restraint" } } };
  });
}

/** A paid review that a person without write permission asks for uses their quota. */
function withinOutsiderBudget(said: readonly SaidCommand[], budget: OutsiderReviewQuota): readonly SaidCommand[] {
  return said.map((one) => {
    const isPaid = one.command.word === "review" && one.standing.kind === "fresh" && isObeyed(one) && !one.isWriter;
    if (!isPaid || budget.take(one.comment)) return one;
    return { ...one, standing: { kind: "fresh", ruling: { kind: "refuse", why: "outsider_budget" } } };
  });
}

export function isObeyed(said: SaidCommand): boolean {
  const { standing } = said;
  return standing.kind === "consumed" ? standing.outcome === "obeyed" : standing.ruling.kind === "obey";
}

export function hadNothingToDo({ standing }: SaidCommand): boolean {
  return standing.kind === "consumed" ? standing.outcome === "nothing_to_do" : standing.ruling.kind === "nothing_to_do";
}

/** A `fix` for which there is nothing starts nothing later either. */
export function withNothingToFix(commands: readonly SaidCommand[]): readonly SaidCommand[] {
  return commands.map((said) => {
    const isFix = said.command.word === "fix" && said.standing.kind === "fresh" && isObeyed(said);
    return isFix ? { ...said, standing: { kind: "fresh", ruling: { kind: "nothing_to_do" } } } : said;
  });
}

export function lastObeyed(
  commands: readonly SaidCommand[],
  words: readonly CommandRecord["word"][],
): SaidCommand | undefined {
  return commands.findLast((said) => words.includes(said.command.word) && isObeyed(said));
}

type CommandPermission =
  | { readonly kind: "allowed" }
  /** Told to the person, who may ask a writer or an operator. */
  | { readonly kind: "refused"; readonly why: "needs_write" | "undetermined" }
  /** Not answered at all: two bots that answer each other never stop. */
  | { readonly kind: "ignored"; readonly why: "own" | "other_bot" };

/** By account id: somebody else can take over a login. */
export function mayCommand(asked: {
  readonly word: CommandWord;
  readonly author: Account;
  readonly pullAuthor: Account;
  readonly permission: Permission;
  readonly bot: Account;
  readonly trustedBots: readonly AccountId[];
}): CommandPermission {
  const { author, permission } = asked;
  if (author.id === asked.bot.id) return { kind: "ignored", why: "own" };
  if (author.kind === "bot" && !asked.trustedBots.includes(author.id)) return { kind: "ignored", why: "other_bot" };
  if (permission === "admin" || permission === "write") return { kind: "allowed" };
  if (author.id === asked.pullAuthor.id && authorWords.has(asked.word)) return { kind: "allowed" };
  return { kind: "refused", why: permission === "undetermined" ? "undetermined" : "needs_write" };
}

/** Nothing that pushes, merges or stops others. */
const authorWords: ReadonlySet<CommandWord> = new Set<CommandWord>([
  "review",
  "cancel",
  "disable-reviews",
  "enable-reviews",
  "status",
  "help",
]);
