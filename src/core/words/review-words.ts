import type { BlockContext } from "#core/blocks/block-mac.ts";
import type { Observation } from "#core/model/observation.ts";
import type { Findings, Situation } from "#core/model/situation.ts";
import { never } from "#core/never.ts";
import { counted } from "#core/words/counted.ts";
import { failureId } from "#core/words/failure-id.ts";
import { outgoing } from "#core/words/outgoing.ts";
import { codeSpan, plainLine } from "#core/words/plain-text.ts";
import { shortSha } from "#core/words/short-sha.ts";

const failureCharactersMax = 500;

export function dismissedManualReview(head: string): string {
  return (
    `This request is covered by the automatic review of ${codeSpan(shortSha(head))}, so it was not run a second time. ` +
    "Its result is in the review on this pull."
  );
}

export function completedManualReview(
  seen: Observation,
  { open, blockers }: Pick<Findings, "open" | "blockers">,
): string {
  const blocking =
    blockers.length === 0
      ? "none of them blocks"
      : `${blockers.length} of them ${blockers.length === 1 ? "blocks" : "block"}`;
  const found =
    open.length === 0 ? "no open findings" : `${counted(open.length, "open finding", "open findings")}, ${blocking}`;
  return `Reviewed ${codeSpan(shortSha(seen.pull.head.sha))} as asked: ${found}.`;
}

export function outsiderBudgetUsed(seen: Observation): string {
  const { outsiderReviewsMax: max } = seen.rules.reviews;
  const ask = codeSpan(`${seen.rules.handle} review`);
  return (
    `${max} of ${max} paid reviews of a pull by an author without write permission are used up; ` +
    `a person with write permission can ask for one: ${ask}.`
  );
}

/** Why a head is not read whole, which takes Drover's own approval back. */
export type UnreadReason =
  | "under_way"
  | "partial"
  | "failed"
  | "unpaid"
  | "draft"
  | "suppressed"
  | "cancelled"
  | "closed";

export function withdrawnApproval(seen: Observation, why: UnreadReason): string {
  const text = `This approval is withdrawn: ${codeSpan(shortSha(seen.pull.head.sha))} is not read whole. ${unreadWords(seen, why)}`;
  return outgoing(text, seen.rules.handle);
}

function unreadWords(seen: Observation, why: UnreadReason): string {
  const ask = codeSpan(`${seen.rules.handle} review`);
  switch (why) {
    case "under_way":
      return "Its review is under way.";
    case "partial":
      return "Its review lists the files that were left out.";
    case "failed":
      return `Its review failed; ${ask} tries again.`;
    case "unpaid":
      return outsiderBudgetUsed(seen);
    case "draft":
      return "Drafts are not reviewed; the review starts when it is ready.";
    case "suppressed":
      return `Reviews are switched off; ${ask} has it reviewed once.`;
    case "cancelled":
      return `Its review was cancelled; ${ask} starts it again.`;
    case "closed":
      return "The pull is closed.";
    default:
      return never(why);
  }
}

export function failedReview(
  seen: Observation,
  { review }: Situation,
  role: { readonly role: string; readonly why: string },
): string {
  const next = review.automatic.kind === "wanted" ? "; a new push is reviewed anyway" : "";
  const text = [
    `**The ${role.role} review of ${codeSpan(shortSha(seen.pull.head.sha))} failed** and will not be tried again by itself.`,
    `> ${plainLine(role.why, failureCharactersMax)}`,
    `The id in the log is ${codeSpan(failureId(placeOf(seen), reviewTask(role.role)))}.`,
    `Comment ${codeSpan(`${seen.rules.handle} review`)} to try again${next}.`,
  ];
  return outgoing(text.join("\n\n"), seen.rules.handle);
}

export function solvedReview(seen: Observation, role: string): string {
  const head = codeSpan(shortSha(seen.pull.head.sha));
  return outgoing(
    `**Solved:** the ${role} review failed here, and has succeeded for ${head} since.`,
    seen.rules.handle,
  );
}

export function reviewTask(role: string): string {
  return `review/${role}`;
}

function placeOf({ instance, pull }: Observation): BlockContext {
  return { instance, repository: pull.repository.id, pull: pull.number };
}
