import { refusalAnswers } from "#core/decision/refusal-answer.ts";
import {
  isReadWhole,
  type ReviewSituation,
  type RoleSituation,
  type Situation,
  type Suppression,
} from "#core/decision/situation.ts";
import { formatInstant } from "#core/model/instant.ts";
import type { Observation } from "#core/model/observation.ts";
import type { Rules } from "#core/model/rules.ts";
import { never } from "#core/never.ts";
import { dollars } from "#core/words/budget-words.ts";
import { counted, listed } from "#core/words/counted.ts";
import { findingLine, worstFirst } from "#core/words/finding-words.ts";
import { flightPlanText } from "#core/words/flight-plan-words.ts";
import { outgoing } from "#core/words/outgoing.ts";
import { codeSpan, plainText } from "#core/words/plain-text.ts";
import { outsiderBudgetUsed } from "#core/words/review-words.ts";

const blockersMax = 20;

export function managedComment(seen: Observation, situation: Situation): string {
  const sections = [
    "### Drover",
    ...reviewSection(seen, situation),
    flightPlanText(seen, situation),
    ...findingsSection(situation),
    ...pendingSection(seen, situation),
    ...costSection(seen),
    ...budgetSection(situation),
    ...outsiderSection(seen, situation),
    ...unansweredSection(seen, situation),
    ...refusedSection(seen),
  ];
  return outgoing(sections.join("\n\n"), seen.rules.handle);
}

function reviewSection(seen: Observation, situation: Situation): readonly string[] {
  const words = headReviewWords(seen, situation);
  return words === "" ? [] : [words];
}

function findingsSection(situation: Situation): readonly string[] {
  const { open, blockers, all } = situation.findings;
  if (all.length === 0) return [];
  const settled = all.length - open.length;
  const line = `**Findings:** ${blockers.length} blocking, ${open.length - blockers.length} other, ${settled} settled`;
  const shown = worstFirst(blockers)
    .slice(0, blockersMax)
    .map((finding) => `- ${findingLine(finding)}`);
  const rest = blockers.length > blockersMax ? [`- and ${blockers.length - blockersMax} more`] : [];
  return [[line, "", ...shown, ...rest].join("\n").trimEnd()];
}

function pendingSection({ rules }: Observation, situation: Situation): readonly string[] {
  const { review, conversation, fixing } = situation;
  const running = review.roles.filter((role) => role.kind === "running").map((role) => role.role);
  const reviewing = [...new Set([...running, ...review.toStart.map((run) => run.role)])].sort();
  const items = [
    ...(reviewing.length > 0 ? [`${listed(reviewing)} review${batchWords(rules, reviewing)}`] : []),
    ...(review.pendingManual.length > 0
      ? [counted(review.pendingManual.length, "requested review", "requested reviews")]
      : []),
    ...(conversation.disputes.length > 0 ? [counted(conversation.disputes.length, "dispute", "disputes")] : []),
    ...(conversation.questions.length > 0 ? [counted(conversation.questions.length, "question", "questions")] : []),
    ...(fixing.kind === "running" ? ["a fixing session"] : []),
  ];
  return items.length === 0 ? [] : [`**Under way:** ${items.join(", ")}`];
}

function batchWords({ reviews }: Rules, reviewing: readonly string[]): string {
  const slow = reviews.roles.filter(({ name, delivery }) => delivery === "batch" && reviewing.includes(name));
  if (slow.length === 0) return "";
  const which = slow.length === reviewing.length ? "" : `${listed(slow.map(({ name }) => name))} `;
  return ` (${which}by batch, which takes up to a day)`;
}

function costSection(seen: Observation): readonly string[] {
  const { spentMicroUsd } = seen.records;
  return spentMicroUsd === 0 ? [] : [`**Cost so far:** ${dollars(spentMicroUsd)}`];
}

function outsiderSection(seen: Observation, { review, conversation }: Situation): readonly string[] {
  const unpaid = review.roles.filter(({ kind }) => kind === "unpaid").map(({ role }) => codeSpan(role));
  const { length } = conversation.unanswered;
  return [
    ...(unpaid.length === 0 ? [] : [`**Not reviewed** by ${listed(unpaid)}: ${outsiderBudgetUsed(seen)}`]),
    ...(length === 0
      ? []
      : [`**Not answered:** ${counted(length, "remark", "remarks")} of people without write permission`]),
  ];
}

/** An answer to each of these people would be one more comment. */
function unansweredSection(seen: Observation, { commands }: Situation): readonly string[] {
  const answers = [...refusalAnswers(commands, seen.pull.author.id).values()];
  const count = answers.filter((answer) => answer !== "words").length;
  if (count === 0) return [];
  return [`**Not obeyed:** ${counted(count, "more command", "more commands")} of people without write permission`];
}

/** Somebody changed or copied a state block: worth knowing, though it had no effect. */
function refusedSection(seen: Observation): readonly string[] {
  const places = [...new Set(seen.refusedBlocks.map((refusal) => refusal.where))].sort();
  return places.length === 0
    ? []
    : [`**Ignored:** state blocks that are not Drover's own, in ${listed(places.map(codeSpan))}`];
}

/** Left out of the comparison: another version alone is no news. */
export function managedFooter({ version, rules }: Observation): string {
  const name = version === undefined ? "Drover" : `Drover ${version}`;
  const help =
    rules.helpUrl === undefined
      ? `${codeSpan(`${rules.handle} help`)} lists the commands`
      : `[Help](${rules.helpUrl}), or ${codeSpan(`${rules.handle} help`)}`;
  return outgoing(`_${name} · ${help}_`, rules.handle);
}

const wordsCharactersMax = 600;

function budgetSection({ review }: Pick<Situation, "review">): readonly string[] {
  const lines = review.roles.flatMap((role) => {
    if (role.kind !== "completed" || role.run.state.kind !== "completed") return [];
    const left = role.coverage.unread.filter(({ why }) => why === "budget").length;
    if (left === 0) return [];
    const words =
      role.coverage.filesRead === 0
        ? plainText(role.run.state.summary, wordsCharactersMax)
        : `${counted(left, "file", "files")} not read.`;
    return [`${codeSpan(role.role)}: ${words}`];
  });
  return lines.length === 0 ? [] : [`**Budget:** ${lines.join("\n\n")}`];
}

/** Goes by the situation and not by what was said, so it answers every command that switches reviews. */
function headReviewWords(seen: Observation, situation: Situation): string {
  if (seen.pull.state !== "open") return "";
  const sentences = [
    headSentence(seen, situation),
    ...cancelledSentence(seen, situation),
    ...nextSentences(seen, situation),
  ];
  return sentences.join(" ");
}

function headSentence(seen: Observation, { review, suppression }: Situation): string {
  const commit = codeSpan(seen.pull.head.sha);
  const read = review.roles.filter(({ kind }) => kind === "completed");
  if (isRead(review)) return `Commit ${commit} is reviewed${read.every(isReadWhole) ? "" : " in part"}.`;
  if (isUnderWay(review)) return `Reviewing commit ${commit}.`;
  const why = unreadWords(seen, review, suppression);
  if (read.length === 0) return `Not reviewing commit ${commit}${why}.`;
  const left = review.roles.filter(({ kind }) => kind !== "completed");
  return `Commit ${commit} is reviewed by ${names(read)} and not by ${names(left)}${why}.`;
}

function isRead({ roles }: ReviewSituation): boolean {
  return roles.every(({ kind }) => kind === "completed");
}

/** What is to start starts in this very tick. */
function isUnderWay({ roles, toStart }: ReviewSituation): boolean {
  return toStart.length > 0 || roles.some(({ kind }) => kind === "running");
}

function names(roles: readonly RoleSituation[]): string {
  return listed(roles.map(({ role }) => codeSpan(role)));
}

function unreadWords({ rules }: Observation, { automatic, roles }: ReviewSituation, suppression: Suppression): string {
  if (automatic.kind === "wanted") return failedWords(roles, rules.handle);
  switch (automatic.why) {
    case "closed":
      return ": the pull is closed";
    case "draft":
      return suppression.kind === "enabled" ? ": it is a draft, and is reviewed when it is ready" : ": it is a draft";
    case "suppressed":
      return isByRepository(suppression)
        ? ": in this repository reviews are made on request"
        : " due to explicit suppression";
    case "cancelled":
      return ` due to ${codeSpan("cancel")}. Comment ${codeSpan(`${rules.handle} review`)} for a review of it`;
    default:
      return never(automatic.why);
  }
}

function failedWords(roles: readonly RoleSituation[], handle: string): string {
  if (roles.some(({ kind }) => kind === "retrying")) return ": its review failed and is tried again";
  if (roles.some(({ kind }) => kind === "unpaid")) return ": no paid review is left for it";
  return `: its review failed. Comment ${codeSpan(`${handle} review`)} to try again`;
}

function isByRepository(suppression: Suppression): boolean {
  return suppression.kind !== "enabled" && suppression.source.kind === "repository";
}

/** Only of roles that have nothing else to show for this head. */
function cancelledSentence(seen: Observation, { review, heads }: Situation): readonly string[] {
  if (isRead(review) || isUnderWay(review)) return [];
  const { sha, baseBranch } = heads.current;
  const stopped = review.roles.filter(({ role, kind }) => {
    const last = seen.records.runs.findLast(
      (run) => run.role === role && run.head === sha && run.baseBranch === baseBranch,
    );
    if (kind === "completed" || last === undefined) return false;
    if (last.state.kind === "cancelled") return last.state.by === "command" || last.state.by === "suppression";
    return review.toCancel.some(({ run, why }) => run === last && (why === "command" || why === "suppression"));
  });
  if (stopped.length === 0) return [];
  return [`${counted(stopped.length, "pending review was", "pending reviews were")} cancelled.`];
}

function nextSentences({ rules }: Observation, { suppression, review }: Situation): readonly string[] {
  if (suppression.kind === "enabled") {
    const isCancelled = review.automatic.kind === "not_wanted" && review.automatic.why === "cancelled";
    const isSaid = suppression.why !== "repository" || isCancelled;
    return isSaid ? ["Automatic reviews are on."] : [];
  }
  const off = isByRepository(suppression)
    ? "Automatic reviews are off"
    : `Automatic reviews are off${until(suppression)}`;
  return [`${off}. ${waysOut(rules.handle)}`];
}

function until(suppression: Suppression): string {
  if (suppression.kind !== "disabled_until") return "";
  const { next } = suppression;
  return next.kind === "enabled" ? ` until ${formatInstant(suppression.until)}` : until(next);
}

function waysOut(handle: string): string {
  return `Comment ${codeSpan(`${handle} enable-reviews`)} to switch them on, or ${codeSpan(`${handle} review`)} for a single review.`;
}
