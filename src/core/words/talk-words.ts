import type { Refusal } from "#core/budget/choose-offer.ts";
import type { Finding } from "#core/model/finding.ts";
import type { Rules } from "#core/model/rules.ts";
import { never } from "#core/never.ts";
import type { DisputeOutcome } from "#core/review/dispute-outcome.ts";
import { refusalWords } from "#core/words/budget-words.ts";
import { counted } from "#core/words/counted.ts";
import { helpText } from "#core/words/help-words.ts";
import { outgoing } from "#core/words/outgoing.ts";
import { codeSpan, plainLine, plainText } from "#core/words/plain.ts";
import { shortSha } from "#core/words/short-sha.ts";

const answerCharactersMax = 20_000;
const reasonCharactersMax = 2_000;
const failureCharactersMax = 300;

/** What a model answered to a question. In the conversation of the pull it says whom it answers. */
export function answerWords(
  text: string,
  {
    to,
    suspects,
    handle,
  }: {
    readonly to: string | null;
    /** Names of what seems to give orders to a model. */
    readonly suspects: readonly string[];
    readonly handle: string;
  },
): string {
  const said = `${addressed(to)}${plainText(text, answerCharactersMax)}`;
  return outgoing([said, ...suspectWords(suspects)].join("\n\n"), handle);
}

function suspectWords(suspects: readonly string[]): readonly string[] {
  if (suspects.length === 0) return [];
  return [`Some of what the model read seems to give orders to it, and was taken as data: ${suspects.join(", ")}.`];
}

/** Why a person has to decide although the model would give in. */
export function orderedWords(suspects: readonly string[]): string {
  return `Some of what the model read seems to give orders to it (${suspects.join(", ")}), so its opinion does not count here.`;
}

function addressed(to: string | null): string {
  return to === null ? "" : `In answer to ${codeSpan(to)}:\n\n`;
}

/** The answer where nobody could give one. */
export function noModelWords(to: string | null, handle: string): string {
  const text = `${addressed(to)}No model is configured here, so questions are not answered. These commands are understood:`;
  return outgoing(`${text}\n\n${helpText(handle)}`, handle);
}

export function failedAnswerWords(why: string, to: string | null, handle: string): string {
  const text = [
    `${addressed(to)}**This could not be answered**: the model failed several times, the last time with`,
    `> ${plainLine(why, failureCharactersMax)}`,
    "Edit the question to have it tried again; if it goes on failing, the operator of this bot should look at its model.",
  ];
  return outgoing(text.join("\n\n"), handle);
}

/** The answer where a cap stands against asking anybody. */
export function refusedAnswerWords(refusal: Refusal, to: string | null, handle: string): string {
  const words = refusalWords(refusal, "edit the question to have it answered");
  return outgoing(`${addressed(to)}**This was not answered**, since it would cost too much. ${words}`, handle);
}

/** Said once, for all that nobody is asked about any more. */
export function unansweredWords({ conversation, handle }: Pick<Rules, "conversation" | "handle">): string {
  const { outsiderAnswersMax: max } = conversation;
  const text =
    `Thank you for your interest. On one pull I answer ${counted(max, "remark", "remarks")} of people without write permission, ` +
    "since each costs money, and these are used up. What was said since is left to the maintainers; " +
    "whoever has write permission is answered as before.";
  return outgoing(text, handle);
}

/** How an argument against a finding ended, and what is left to do. */
export function disputeWords(
  dispute: Pick<DisputeOutcome, "why"> & {
    readonly finding: Pick<Finding, "score" | "state">;
    /** What the model says about it; null where none was asked. */
    readonly reason: string | null;
  },
  handle: string,
): string {
  const { reason } = dispute;
  const said = reason === null || reason.trim() === "" ? [] : [plainText(reason, reasonCharactersMax)];
  return outgoing([verdictLine(dispute), ...said, ...nextStep(dispute)].join("\n\n"), handle);
}

type Dispute = Parameters<typeof disputeWords>[0];

function verdictLine({ why, finding }: Dispute): string {
  switch (why) {
    case "already_resolved":
      return "This finding is settled already.";
    case "waived_by_writer":
      return waivedLine(finding.state);
    case "convinced":
      return "**Conceded.** This finding is withdrawn.";
    case "not_convinced":
      return "**Maintained.** This finding stands.";
    case "undecided":
      return "**Escalated.** A person has to decide about this finding.";
    case "score_needs_person":
      return `**Escalated.** A finding of score ${finding.score} is not withdrawn for an argument alone.`;
    case "waiver_needs_person":
      return "**Not waived.** Only a person can answer for that.";
    case "waiver_needs_write":
      return "**Not waived.** That takes write permission on this repository.";
    case "waiver_undetermined":
      return "**Not waived.** The forge would not say whether you have write permission.";
    default:
      return never(why);
  }
}

function waivedLine(state: Finding["state"]): string {
  if (state.kind !== "resolved" || state.resolution.how !== "waived") return "**Waived.**";
  return `**Waived** by ${codeSpan(state.resolution.by)} for ${codeSpan(shortSha(state.resolution.head))}.`;
}

function nextStep({ why }: Dispute): readonly string[] {
  const isSettled = why === "already_resolved" || why === "waived_by_writer" || why === "convinced";
  if (isSettled) return [];
  return [
    `Change the code, or let somebody with write permission answer here with a line ${codeSpan("waive: <reason>")}.`,
  ];
}
