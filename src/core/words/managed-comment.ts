import { refusalAnswers } from "#core/derive/refusal-answer.ts";
import type { Observation } from "#core/model/observation.ts";
import type { Rules } from "#core/model/rules.ts";
import type { Situation } from "#core/model/situation.ts";
import { budgetSection } from "#core/words/budget-section.ts";
import { dollars } from "#core/words/budget-words.ts";
import { counted, listed } from "#core/words/counted.ts";
import { findingLine, worstFirst } from "#core/words/finding-words.ts";
import { flightPlanText } from "#core/words/flight-plan-words.ts";
import { headReviewWords } from "#core/words/head-review-words.ts";
import { outgoing } from "#core/words/outgoing.ts";
import { codeSpan } from "#core/words/plain-text.ts";
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

function batchWords({ reviews }: Rules, names: readonly string[]): string {
  const slow = reviews.roles.filter(({ name, delivery }) => delivery === "batch" && names.includes(name));
  if (slow.length === 0) return "";
  const which = slow.length === names.length ? "" : `${listed(slow.map(({ name }) => name))} `;
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
