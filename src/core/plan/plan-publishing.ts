import type { Action } from "#core/model/action.ts";
import { digestOf } from "#core/model/digest.ts";
import type { Finding } from "#core/model/finding.ts";
import type { Observation } from "#core/model/observation.ts";
import type { PublishedReview } from "#core/model/records.ts";
import type { RoleSituation, Situation } from "#core/model/situation.ts";
import { actionKey } from "#core/plan/action-key.ts";
import { planEscalation } from "#core/plan/plan-escalation.ts";
import { planReviewUpdates } from "#core/review/review-update.ts";
import { verdictOf } from "#core/review/verdict.ts";
import { verdictInForce } from "#core/review/verdict-in-force.ts";
import { closedFinding } from "#core/words/finding-words.ts";
import { eventNote, reviewBody } from "#core/words/review-body.ts";
import { failedReview, unpaidReview } from "#core/words/review-words.ts";

/** What a completed look has found is said: as a review, in the threads of what was settled, or as a failure. */
export function planPublishing(seen: Observation, situation: Situation): readonly Action[] {
  return [
    ...publishReviews(seen, situation),
    ...situation.findings.toClose.flatMap((finding) => closeFinding(seen, finding)),
    ...situation.review.roles.flatMap((role) => reportFailure(seen, situation, role)),
  ];
}

function publishReviews(seen: Observation, situation: Situation): readonly Action[] {
  const head = situation.heads.current.sha;
  const texts = new Map(situation.review.roles.map((role) => [role.role, wantedReview(seen, situation, role)]));
  const updates = planReviewUpdates({
    roles: situation.review.roles.map(({ role, kind }) => ({
      role,
      existing: liveReview(seen, role),
      wanted: texts.get(role) ?? null,
      isLeftOut: kind === "unpaid",
    })),
    capabilities: seen.capabilities,
    isOwnPull: seen.pull.author.id === seen.bot.id,
    inForce: areShown(seen) ? verdictInForce({ reviews: seen.reviews, account: seen.bot.id }) : "none",
  });
  return updates.flatMap((update): readonly Action[] => {
    const wanted = texts.get(update.role);
    if (update.kind === "nothing" || update.kind === "wait" || wanted === undefined || wanted === null) return [];
    // With the review that it follows, dismissed or not: on one head a verdict may come back in the same words.
    const earlier = lastPublished(seen, update.role)?.review ?? "";
    const key = actionKey("publish_review", update.role, head, update.kind, update.event, wanted.digest, earlier);
    const text = `${wanted.text}${eventNote(update.eventWhy)}`;
    return [{ kind: "publish_review", key, role: update.role, head, update, text }];
  });
}

/**
 * A forge that lags does not list what was just posted, so an older verdict would seem to be in force. Posting against it
 * would repeat the review with every look.
 */
function areShown(seen: Observation): boolean {
  return seen.records.published.every(({ review }) => seen.reviews.some(({ id }) => id === review));
}

function lastPublished(seen: Observation, role: string): PublishedReview | undefined {
  return seen.records.published.findLast((one) => one.role === role);
}

/** A review that somebody dismissed says nothing any more. */
function liveReview(seen: Observation, role: string): PublishedReview | null {
  const published = lastPublished(seen, role);
  if (published === undefined) return null;
  const isDismissed = seen.reviews.some((review) => review.id === published.review && review.state === "dismissed");
  return isDismissed ? null : published;
}

function wantedReview(seen: Observation, situation: Situation, role: RoleSituation) {
  if (role.kind === "unpaid") return withdrawnReview(seen, role.role);
  if (role.kind !== "completed") return null;
  const findings = situation.findings.all.filter((finding) => speaksFor(seen, finding) === role.role);
  const verdict = verdictOf({ findings, coverage: role.coverage });
  const text = reviewBody(seen, { role, findings, verdict });
  return { verdict, text, digest: digestOf(text) };
}

/** Without a look the role has nothing to say; but nobody must take its approval of another head for one of this. */
function withdrawnReview(seen: Observation, role: string) {
  if (liveReview(seen, role)?.verdict !== "approve") return null;
  const text = unpaidReview(seen, role);
  return { verdict: "comment" as const, text, digest: digestOf(text) };
}

/** What a role found that is no longer configured is spoken for by the first one: it must not be forgotten. */
function speaksFor(seen: Observation, finding: Finding): string | undefined {
  const roles = seen.rules.reviews.roles.map(({ name }) => name);
  return roles.includes(finding.role) ? finding.role : roles[0];
}

function closeFinding(seen: Observation, finding: Finding): readonly Action[] {
  if (finding.thread === null || finding.state.kind !== "resolved") return [];
  const key = actionKey("close_finding", finding.id, finding.thread);
  const text = closedFinding(seen, finding.state.resolution);
  return [{ kind: "close_finding", key, finding: finding.id, thread: finding.thread, text }];
}

/** A look that failed for good leaves one comment that says what to do. */
function reportFailure(seen: Observation, situation: Situation, role: RoleSituation): readonly Action[] {
  // A look that somebody asked for is reported with the request.
  if (role.kind !== "given_up" || role.trigger.kind === "manual") return [];
  const key = actionKey("escalate", "review", situation.heads.current.sha, role.role);
  return planEscalation(seen, { key, severity: "warning", text: failedReview(seen, role) });
}
