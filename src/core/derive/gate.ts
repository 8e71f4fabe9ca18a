import type { WholeView } from "#core/derive/whole-view.ts";
import type { Observation } from "#core/model/observation.ts";
import type { Findings, Gate, Heads, ReviewSituation, RoleSituation, Suppression } from "#core/model/situation.ts";
import { hasUnsignedRequest } from "#core/review/own-reviews.ts";
import { isReadWhole } from "#core/review/read-whole.ts";

/** Green only when every role has read the whole head and no blocker is open; the absence of errors is no reason. */
export function deriveGate(
  seen: Observation,
  context: {
    readonly heads: Heads;
    readonly review: ReviewSituation;
    readonly findings: Findings;
    readonly suppression: Suppression;
    readonly wholeView: WholeView;
  },
): Gate {
  const head = context.heads.current.sha;
  const { blockers } = context.findings;
  const { roles, toStart } = context.review;
  if (blockers.length > 0) return { head, state: "failure", why: "blockers", count: blockers.length };
  if (hasUnsignedRequest(seen)) return { head, state: "failure", why: "unsigned_request" };
  const isRead = roles.length > 0 && roles.every((role) => role.kind === "completed");
  if (isRead && roles.every(isReadWhole)) return { head, state: "success" };
  // What is to start starts in this very tick: other words for it would be one more write.
  const isReviewing = toStart.length > 0 || roles.some((role) => role.kind === "running");
  if (!isRead && isReviewing) return { head, state: "pending", why: "reviewing" };
  if (isWaived(context.wholeView, context.suppression))
    return { head, state: "neutral", why: isRead ? "partial_waived" : "suppressed" };
  if (isRead) return partial(seen, head, roles);
  const givenUp = roles.filter((role) => role.kind === "given_up");
  if (givenUp.length > 0) return { head, state: "failure", why: "given_up", count: givenUp.length };
  return unreviewed(head, context.review);
}

/** A look that read nothing is no part of a review. */
function partial(seen: Observation, head: Gate["head"], roles: readonly RoleSituation[]): Gate {
  const hasRead = roles.every((role) => role.kind === "completed" && role.coverage.filesRead > 0);
  return hasRead && seen.rules.reviews.partialGate === "neutral"
    ? { head, state: "neutral", why: "partial" }
    : { head, state: "pending", why: "partial" };
}

function unreviewed(head: Gate["head"], review: ReviewSituation): Gate {
  const { automatic, roles } = review;
  if (automatic.kind === "wanted") {
    if (roles.some((role) => role.kind === "retrying")) return { head, state: "pending", why: "retrying" };
    const unpaid = roles.find((role) => role.kind === "unpaid");
    if (unpaid === undefined) return { head, state: "pending", why: "reviewing" };
    return { head, state: "pending", why: "outsider_budget", used: unpaid.used, max: unpaid.max };
  }
  return { head, state: "pending", why: automatic.why === "suppressed" ? "suppressed_by_author" : automatic.why };
}

/** People who may merge may waive the review. If the conversation was cut, a later command may be missing. */
function isWaived({ cut }: WholeView, suppression: Suppression): boolean {
  if (suppression.kind === "enabled" || cut.length > 0) return false;
  return suppression.source.kind === "repository" || suppression.source.isWriter;
}
