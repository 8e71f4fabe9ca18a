import type { BudgetRefusal } from "#core/budget/choose-offer.ts";
import { type Finding, findingLimits } from "#core/model/finding.ts";
import type { CommentId } from "#core/model/ids.ts";
import { reviewOfText } from "#core/model/review-text.ts";
import type { Rules } from "#core/model/rules.ts";
import { never } from "#core/never.ts";
import type { DisputeOutcome } from "#core/review/dispute-outcome.ts";
import { budgetRefusalWords } from "#core/words/budget-words.ts";
import { counted } from "#core/words/counted.ts";
import { helpText } from "#core/words/help-words.ts";
import { outgoing } from "#core/words/outgoing.ts";
import { codeSpan, plainLine, plainText } from "#core/words/plain-text.ts";
import { shortSha } from "#core/words/short-sha.ts";

const answerCharactersMax = 20_000;
const reasonCharactersMax = 2_000;
const failureCharactersMax = 300;

/** In the conversation of the pull it says whom it answers. */
export function answerWords(
  text: string,
  {
    to,
    isCut = false,
    suspects,
    handle,
  }: {
    readonly to: Asker | null;
    readonly isCut?: boolean;
    readonly suspects: readonly string[];
    readonly handle: string;
  },
): string {
  const isLong = isCut || text.length > answerCharactersMax;
  const said = `${addressed(to)}${plainText(isLong ? upToSentence(text) : text, answerCharactersMax)}`;
  return outgoing([said, ...(isLong ? [cutWords] : []), ...suspectWords(suspects)].join("\n\n"), handle);
}

const cutWords = "_The answer was longer than I may write, and is cut here. Ask for the rest if you need it._";

/** Whole words where whole sentences would leave less than half. */
function upToSentence(text: string): string {
  const kept = text.slice(0, answerCharactersMax);
  const ends = [...kept.matchAll(sentenceEnd)].map(({ 0: end, index }) => index + end.trimEnd().length);
  const last = ends.at(-1) ?? 0;
  if (last * 2 >= kept.length) return kept.slice(0, last);
  const words = kept.replace(/\S*$/, "").trimEnd();
  // Not every language has blanks between its words.
  return `${words.length * 2 >= kept.length ? words : kept} …`;
}

/** Some languages put no blank after a sentence. */
const sentenceEnd = /[.!?](?=\s)|[。！？｡।۔።]|\n\n/g;

function suspectWords(suspects: readonly string[]): readonly string[] {
  if (suspects.length === 0) return [];
  return [`Some of what the model read seems to give orders to it, and was taken as data: ${suspects.join(", ")}.`];
}

export function orderedWords(suspects: readonly string[]): string {
  return `Some of what the model read seems to give orders to it (${suspects.join(", ")}), so its opinion does not count here.`;
}

export const unweighedWords = "No model is configured here, so arguments are not judged.";

export const noAnswerWords = {
  empty: "an empty answer",
  noReason: "no reason given",
  argueAgain: "reply once more to have the argument weighed",
} as const;

export const unreadableWords = "The model was asked to weigh this, and its answer could not be read.";

export interface Asker {
  readonly login: string;
  readonly comment: CommentId;
  /** What they asked, where they have asked more than this; else null. */
  readonly quote: string | null;
}

function addressed(to: Asker | null): string {
  if (to === null) return "";
  const quote = to.quote === null ? "" : `> ${plainLine(to.quote, quoteCharactersMax)}\n\n`;
  return `In answer to ${codeSpan(to.login)} (${linkTo(to.comment)}):\n\n${quote}`;
}

const quoteCharactersMax = 200;

/** The page has a place for each number. Ids may have a letter before it. */
function linkTo(comment: CommentId): string {
  const review = reviewOfText(comment);
  const anchor = review === undefined ? `issuecomment-${comment.replace(/\D/g, "")}` : `pullrequestreview-${review}`;
  return `[their words](#${anchor})`;
}

export function noModelWords(to: Asker | null, handle: string): string {
  const text = `${addressed(to)}No model is configured here, so questions are not answered. These commands are understood:`;
  return outgoing(`${text}\n\n${helpText(handle)}`, handle);
}

export interface Trouble {
  readonly why: string;
  readonly id: string;
  readonly isLast: boolean;
}

export function failedAnswerWords(trouble: Trouble, to: Asker | null, handle: string): string {
  const text = [`${addressed(to)}**This could not be answered yet:** ${causeWords(trouble)}`, againWords(trouble)];
  return outgoing(text.join("\n\n"), handle);
}

export function failedDisputeWords(trouble: Trouble, handle: string): string {
  const text = [
    `**This could not be weighed yet:** ${causeWords(trouble)} Until then the finding stands as it is.`,
    againWords(trouble),
    waiverStep,
  ];
  return outgoing(text.join("\n\n"), handle);
}

function causeWords({ why, id }: Trouble): string {
  return `the model failed with "${plainLine(why, failureCharactersMax)}" (${codeSpan(id)} in the log).`;
}

function againWords({ isLast }: Trouble): string {
  return isLast
    ? "I have tried for a long time and do not retry by myself. Edit the remark or run the job again to retry. The operator of this bot should check its model."
    : "It is tried again, and this comment becomes the answer.";
}

export function nothingToAnswerWords(handle: string): string {
  return outgoing("The model can be asked again, and there is nothing to answer here.", handle);
}

export function putOffReason(refusal: BudgetRefusal): string {
  return budgetRefusalWords(refusal, "it is answered here");
}

export function putOffWords(
  refusal: BudgetRefusal,
  { to, id, handle }: { readonly to: Asker | null; readonly id: string; readonly handle: string },
): string {
  const text =
    `${addressed(to)}**This is not answered yet**, since it would cost too much (${codeSpan(id)} in the log). ` +
    `${putOffReason(refusal)} Drover looks at least every hour whether there is money for it, and this comment becomes the answer.`;
  return outgoing(text, handle);
}

export function unansweredWords({ conversation, handle }: Pick<Rules, "conversation" | "handle">): string {
  const { outsiderAnswersMax: max } = conversation;
  const text =
    `Answers cost money, so I answer at most ${counted(max, "remark", "remarks")} per pull for people without write permission. ` +
    "That limit is reached; the maintainers can still ask me.";
  return outgoing(text, handle);
}

export function closedWords(state: "closed" | "merged", handle: string): string {
  const more = state === "closed" ? " Open it again to have this answered." : "";
  return outgoing(`This pull is ${state}, so questions on it are not answered any more.${more}`, handle);
}

export function loopWords(max: number, handle: string): string {
  const text =
    `Other bots have said ${counted(max, "thing", "things")} to me in a row, so I do not listen to them for now. ` +
    "I answer again after a person has written here or pushed.";
  return outgoing(text, handle);
}

export function disputeWords(
  dispute: Pick<DisputeOutcome, "why"> & {
    readonly finding: Pick<Finding, "score" | "state">;
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
      return "**Not waived.** The forge did not say whether you have write permission.";
    default:
      return never(why);
  }
}

function waivedLine(state: Finding["state"]): string {
  if (state.kind !== "resolved" || state.resolution.how !== "waived") return "**Waived.**";
  const { by, head, reason } = state.resolution;
  const because = reason === undefined ? "." : `: ${plainLine(reason, findingLimits.waiverCharactersMax)}`;
  return `**Waived** by ${codeSpan(by)} for ${codeSpan(shortSha(head))}${because}`;
}

function nextStep({ why }: Dispute): readonly string[] {
  const isSettled = why === "already_resolved" || why === "waived_by_writer" || why === "convinced";
  if (isSettled) return [];
  return [waiverStep];
}

const waiverStep = `Change the code, or ask a person with write permission to answer here with a line ${codeSpan("waive: <reason>")}.`;
