import type { Action, ActionOf } from "#core/model/action.ts";
import { digestOf } from "#core/model/digest.ts";
import type { Finding } from "#core/model/finding.ts";
import type { ActionKey } from "#core/model/ids.ts";
import type { Observation } from "#core/model/observation.ts";
import type { PublishedReview } from "#core/model/records.ts";
import type { RoleSituation, Situation } from "#core/model/situation.ts";
import { actionKey } from "#core/plan/action-key.ts";
import { planEscalation } from "#core/plan/plan-escalation.ts";
import {
  areShown,
  hasUnsignedRequest,
  isRequestDismissed,
  lastPublished,
  liveReview,
  type StandingApproval,
  standingApprovals,
} from "#core/review/own-reviews.ts";
import { isReadWhole } from "#core/review/read-whole.ts";
import { planReviewUpdates } from "#core/review/review-update.ts";
import { verdictOf } from "#core/review/verdict.ts";
import { verdictInForce } from "#core/review/verdict-in-force.ts";
import { closedFinding } from "#core/words/finding-words.ts";
import { dismissedNote, eventNote, reviewBody } from "#core/words/review-body.ts";
import { failedReview, solvedReview, type UnreadReason, withdrawnApproval } from "#core/words/review-words.ts";

/** As a review, in the threads of what was settled, or as a failure. */
export function planPublishing(seen: Observation, situation: Situation): readonly Action[] {
  return [
    ...publishReviews(seen, situation),
    ...situation.findings.toClose.flatMap((finding) => closeFinding(seen, finding)),
    ...situation.review.roles.flatMap((role) => reportFailure(seen, situation, role)),
  ];
}

function publishReviews(seen: Observation, situation: Situation): readonly Action[] {
  const head = situation.heads.current.sha;
  const { roles } = situation.review;
  const withdrawn = roles.every(isReadWhole) ? [] : standingApprovals(seen);
  const texts = new Map(roles.map((role) => [role.role, wantedReview(seen, situation, role)]));
  const updates = planReviewUpdates({
    roles: roles.map((role) => ({
      ...roleReview(seen, role, withdrawn),
      wanted: texts.get(role.role) ?? null,
    })),
    capabilities: seen.capabilities,
    isOwnPull: seen.pull.author.id === seen.bot.id,
    inForce: areShown(seen) ? verdictInForce({ reviews: seen.reviews, account: seen.bot.id }) : "none",
    hasUnsignedRequest: hasUnsignedRequest(seen),
  });
  const published = updates.flatMap((update): readonly ActionOf<"publish_review">[] => {
    const { role } = update;
    const wanted = texts.get(role);
    if (update.kind === "nothing" || update.kind === "wait" || wanted === undefined || wanted === null) return [];
    // With the review that it follows: on one head a verdict may come back in the same words.
    const earlier = lastPublished(seen, role)?.review ?? "";
    const key = actionKey("publish_review", role, head, update.kind, update.event, wanted.digest, earlier);
    const isBack = update.event === "request_changes" && isRequestDismissed(seen, role);
    const text = `${wanted.text}${eventNote(update.eventWhy)}${isBack ? dismissedNote() : ""}`;
    return [{ kind: "publish_review", key, role, head, update, text, standing: wanted.standing }];
  });
  const text = withdrawnApproval(seen, unreadReason(situation));
  return [
    ...withdrawn.map(({ role, review }): Action => {
      const isFollowed = published.some((action) => action.role === role);
      const key = actionKey("withdraw_approval", review);
      return { kind: "withdraw_approval", key, role, head, review, text, isFollowed };
    }),
    ...published,
  ];
}

/** One account, one approval: while a role has not read the head whole, it would be taken for one of this head. */
function roleReview(seen: Observation, { role, kind }: RoleSituation, withdrawn: readonly StandingApproval[]) {
  const live = liveReview(seen, role);
  const existing = withdrawn.some(({ review }) => review === live?.review) ? null : live;
  return { role, existing, isLeftOut: kind === "unpaid", asksItself: existing !== null && asksItself(seen, existing) };
}

/** There were blockers of its own at the head for which it asked. */
function asksItself({ records }: Observation, { role, head, verdict }: PublishedReview): boolean {
  const blocking = new Set(records.findings.filter(({ isBlocking }) => isBlocking).map(({ id }) => id));
  return (
    verdict === "request_changes" &&
    records.runs.some(
      (run) =>
        run.role === role &&
        run.head === head &&
        run.state.kind === "completed" &&
        run.state.findings.some((id) => blocking.has(id)),
    )
  );
}

function unreadReason({ review: { roles, toStart, automatic } }: Situation): UnreadReason {
  if (roles.some(({ kind }) => kind === "unpaid")) return "unpaid";
  if (roles.some(({ kind }) => kind === "given_up")) return "failed";
  if (roles.every(({ kind }) => kind === "completed")) return "partial";
  const isUnderWay = toStart.length > 0 || roles.some(({ kind }) => kind === "running" || kind === "retrying");
  return isUnderWay || automatic.kind === "wanted" ? "under_way" : automatic.why;
}

function wantedReview(seen: Observation, situation: Situation, role: RoleSituation) {
  if (role.kind !== "completed") return null;
  const findings = situation.findings.all.filter((finding) => speaksFor(seen, finding) === role.role);
  const verdict = verdictOf({ findings, coverage: role.coverage });
  const text = reviewBody(seen, { role, findings, verdict });
  const standing = findings.filter(({ state }) => state.kind !== "resolved").map(({ id }) => id);
  return { verdict, text, digest: digestOf(text), standing };
}

/** The first role speaks for roles that are no longer configured: their findings must not be forgotten. */
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

function reportFailure(seen: Observation, situation: Situation, role: RoleSituation): readonly Action[] {
  if (role.kind === "completed") return takeBack(seen, role.role);
  // A review that a person asked for is reported with the request.
  if (role.kind !== "given_up" || role.trigger.kind === "manual") return [];
  const key = actionKey("escalate", "review", situation.heads.current.sha, role.role);
  return planEscalation(seen, { key, severity: "warning", text: failedReview(seen, situation, role) });
}

/** At any head: a review has succeeded since. */
function takeBack({ records, ...seen }: Observation, role: string): readonly Action[] {
  const { escalations } = records;
  const text = solvedReview({ ...seen, records }, role);
  return escalations.flatMap((told): readonly Action[] => {
    const [, what, , of] = told.split("/");
    if (what !== "review" || of !== actionKey(role)) return [];
    const key = actionKey("take_back", told);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was made as one, and stored.
    return escalations.includes(key) ? [] : [{ kind: "take_back", key, escalation: told as ActionKey, text }];
  });
}
