import type { Gate, UsedReviews } from "#core/model/situation.ts";
import { never } from "#core/never.ts";
import { counted } from "#core/words/counted.ts";

/** GitHub cuts a status at 140 characters; these are shorter. */
export function gateWords(gate: Gate): string {
  switch (gate.state) {
    case "success":
      return "Reviewed: nothing blocks";
    case "failure":
      return failureWords(gate);
    case "neutral":
      return neutralWords[gate.why];
    case "pending":
      return gate.why === "outsider_budget" ? usedUp(gate) : pendingWords(gate.why);
    default:
      return never(gate);
  }
}

function failureWords(gate: Extract<Gate, { readonly state: "failure" }>): string {
  switch (gate.why) {
    case "blockers":
      return counted(gate.count, "finding blocks", "findings block");
    case "unsigned_request":
      return "Another job of this account asks for changes; it lifts them, or a person dismisses its review";
    case "given_up":
      return "The review failed and was given up; see the pull's conversation";
    default:
      return never(gate);
  }
}

const neutralWords = {
  suppressed: "Not reviewed: switched off by a maintainer",
  partial: "Reviewed in part: some files were not read",
  partial_waived: "Reviewed in part: a maintainer goes on without the rest",
} as const satisfies Record<Extract<Gate, { readonly state: "neutral" }>["why"], string>;

/** A list of checks shows no more than this; the managed comment has the commands to use. */
function usedUp({ used, max }: UsedReviews): string {
  return `${used} of ${max} paid reviews for an author without write permission are used up; a maintainer can ask for one`;
}

type PendingReason = Exclude<Extract<Gate, { readonly state: "pending" }>["why"], "outsider_budget">;

function pendingWords(why: PendingReason): string {
  switch (why) {
    case "reviewing":
      return "Reviewing";
    case "retrying":
      return "The review failed and will be tried again";
    case "closed":
      return "Not reviewed: the pull is closed";
    case "draft":
      return "Drafts are not reviewed";
    case "suppressed_by_author":
      return "Not reviewed: switched off by the author, who cannot waive the review";
    case "partial":
      return "Reviewed in part: a maintainer goes on without the rest by `disable-reviews`";
    case "cancelled":
      return "The review was cancelled by command";
    default:
      return never(why);
  }
}
