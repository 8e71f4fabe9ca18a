import { compareText } from "#core/compare-text.ts";
import type { Review } from "#core/model/conversation.ts";
import type { AccountId } from "#core/model/ids.ts";

/** What a forge holds for an account: the last of its reviews that judged and was not dismissed. */
export type VerdictInForce = "approve" | "request_changes" | "none";

export function verdictInForce(seen: {
  readonly reviews: readonly Review[];
  readonly account: AccountId;
}): VerdictInForce {
  const last = seen.reviews
    .filter(
      ({ author, state }) => author.id === seen.account && (state === "approved" || state === "changes_requested"),
    )
    .toSorted(compareReviews)
    .at(-1);
  if (last === undefined) return "none";
  return last.state === "approved" ? "approve" : "request_changes";
}

/** In one second the forge's running number decides, which is a number even though we keep it as text. */
function compareReviews(left: Review, right: Review): number {
  return left.submittedAt - right.submittedAt || left.id.length - right.id.length || compareText(left.id, right.id);
}
