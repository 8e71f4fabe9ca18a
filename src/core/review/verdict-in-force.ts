import { compareText } from "#core/compare-text.ts";
import type { Review } from "#core/model/conversation.ts";
import type { AccountId } from "#core/model/ids.ts";

export type VerdictInForce = "approve" | "request_changes" | "none";

interface AccountReviews {
  readonly reviews: readonly Review[];
  readonly account: AccountId;
}

export function verdictInForce(seen: AccountReviews): VerdictInForce {
  const last = judgingReviews(seen).at(-1);
  if (last === undefined) return "none";
  return last.state === "approved" ? "approve" : "request_changes";
}

/** Earlier approvals since the last request come into force again if the later ones are dismissed. */
export function approvalsInForce(seen: AccountReviews): readonly Review[] {
  const judging = judgingReviews(seen);
  return judging.slice(judging.findLastIndex(({ state }) => state === "changes_requested") + 1);
}

/** In their order. */
export function judgingReviews({ reviews, account }: AccountReviews): readonly Review[] {
  return reviews
    .filter(({ author, state }) => author.id === account && (state === "approved" || state === "changes_requested"))
    .toSorted(compareReviews);
}

/** In one second the forge's running number decides, which is a number even though we keep it as text. */
function compareReviews(left: Review, right: Review): number {
  return left.submittedAt - right.submittedAt || left.id.length - right.id.length || compareText(left.id, right.id);
}
