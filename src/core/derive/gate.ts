import type { Observation } from "#core/model/observation.ts";
import type { Findings, Gate, Heads, ReviewSituation, RoleSituation, Suppression } from "#core/model/situation.ts";
import { isComplete } from "#core/review/coverage.ts";

/**
 * What Drover's check says about the head. It is green only when every role read the whole head and no blocker stands;
 * "nothing went wrong" is no reason. An open blocker is red whatever else is true.
 */
export function deriveGate(
  seen: Observation,
  context: {
    readonly heads: Heads;
    readonly review: ReviewSituation;
    readonly findings: Findings;
    readonly suppression: Suppression;
  },
): Gate {
  const head = context.heads.current.sha;
  const { blockers } = context.findings;
  const { roles } = context.review;
  if (blockers.length > 0) return { head, state: "failure", why: "blockers", count: blockers.length };
  if (roles.length > 0 && roles.every((role) => role.kind === "completed")) return reviewed(seen, head, roles);
  const givenUp = roles.filter((role) => role.kind === "given_up");
  if (givenUp.length > 0) return { head, state: "failure", why: "given_up", count: givenUp.length };
  // What is to start starts in this very tick: other words for it would be one more write.
  const isReviewing = context.review.toStart.length > 0 || roles.some((role) => role.kind === "running");
  return isReviewing ? { head, state: "pending", why: "reviewing" } : unreviewed(head, context);
}

function reviewed(seen: Observation, head: Gate["head"], roles: readonly RoleSituation[]): Gate {
  const isWhole = roles.every((role) => role.kind === "completed" && isComplete(role.coverage));
  if (isWhole) return { head, state: "success" };
  return seen.rules.reviews.partialGate === "neutral"
    ? { head, state: "neutral", why: "partial" }
    : { head, state: "pending", why: "partial" };
}

function unreviewed(
  head: Gate["head"],
  context: { readonly review: ReviewSituation; readonly suppression: Suppression },
): Gate {
  const { automatic, roles } = context.review;
  if (automatic.kind === "wanted" || automatic.why === "closed") {
    const isRetrying = roles.some((role) => role.kind === "retrying");
    return { head, state: "pending", why: isRetrying ? "retrying" : "reviewing" };
  }
  if (automatic.why !== "suppressed") return { head, state: "pending", why: automatic.why };
  return isSuppressedByMaintainer(context.suppression)
    ? { head, state: "neutral", why: "suppressed" }
    : { head, state: "pending", why: "suppressed_by_author" };
}

/** Whoever may merge may also do without a review. An author without that right may not. */
function isSuppressedByMaintainer(suppression: Suppression): boolean {
  if (suppression.kind === "enabled") return false;
  return suppression.source.kind === "repository" || suppression.source.isWriter;
}
