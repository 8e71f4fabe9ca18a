import type { Observation } from "#core/model/observation.ts";
import type { Findings } from "#core/model/situation.ts";
import { counted } from "#core/words/counted.ts";
import { outgoing } from "#core/words/outgoing.ts";
import { codeSpan, plainLine } from "#core/words/plain.ts";
import { shortSha } from "#core/words/short-sha.ts";

const failureCharactersMax = 500;

export function dismissedManualReview(head: string): string {
  return (
    `This request is covered by the automatic review of ${codeSpan(shortSha(head))}, so it was not run a second time. ` +
    "Its result is in the review on this pull."
  );
}

/** For whoever asked, beside the review itself. */
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
  const { outsiderReviewsMax } = seen.rules.reviews;
  return `This pull has used its ${outsiderReviewsMax} reviews for people without write permission. A writer can ask for more.`;
}

export function failedReview(seen: Observation, role: { readonly role: string; readonly why: string }): string {
  const text = [
    `**The ${role.role} review of ${codeSpan(shortSha(seen.pull.head.sha))} failed** and will not be tried again by itself.`,
    `> ${plainLine(role.why, failureCharactersMax)}`,
    `Comment ${codeSpan(`${seen.rules.handle} review`)} to try again; a new push is reviewed anyway.`,
  ];
  return outgoing(text.join("\n\n"), seen.rules.handle);
}
