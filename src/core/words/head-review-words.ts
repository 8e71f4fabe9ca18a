import { formatInstant } from "#core/model/instant.ts";
import type { Observation } from "#core/model/observation.ts";
import type { ReviewSituation, RoleSituation, Situation, Suppression } from "#core/model/situation.ts";
import { never } from "#core/never.ts";
import { isReadWhole } from "#core/review/read-whole.ts";
import { counted, listed } from "#core/words/counted.ts";
import { codeSpan } from "#core/words/plain-text.ts";

/** Goes by the situation and not by what was said, so it answers every command that switches reviews. */
export function headReviewWords(seen: Observation, situation: Situation): string {
  if (seen.pull.state !== "open") return "";
  const sentences = [
    headSentence(seen, situation),
    ...cancelledSentence(seen, situation),
    ...nextSentences(seen, situation),
  ];
  return sentences.join(" ");
}

function headSentence(seen: Observation, { review, suppression }: Situation): string {
  const commit = codeSpan(seen.pull.head.sha);
  const read = review.roles.filter(({ kind }) => kind === "completed");
  if (isRead(review)) return `Commit ${commit} is reviewed${read.every(isReadWhole) ? "" : " in part"}.`;
  if (isUnderWay(review)) return `Reviewing commit ${commit}.`;
  const why = unreadWords(seen, review, suppression);
  if (read.length === 0) return `Not reviewing commit ${commit}${why}.`;
  const left = review.roles.filter(({ kind }) => kind !== "completed");
  return `Commit ${commit} is reviewed by ${names(read)} and not by ${names(left)}${why}.`;
}

function isRead({ roles }: ReviewSituation): boolean {
  return roles.every(({ kind }) => kind === "completed");
}

/** What is to start starts in this very tick. */
function isUnderWay({ roles, toStart }: ReviewSituation): boolean {
  return toStart.length > 0 || roles.some(({ kind }) => kind === "running");
}

function names(roles: readonly RoleSituation[]): string {
  return listed(roles.map(({ role }) => codeSpan(role)));
}

function unreadWords({ rules }: Observation, { automatic, roles }: ReviewSituation, suppression: Suppression): string {
  if (automatic.kind === "wanted") return failedWords(roles, rules.handle);
  switch (automatic.why) {
    case "closed":
      return ": the pull is closed";
    case "draft":
      return suppression.kind === "enabled" ? ": it is a draft, and is reviewed when it is ready" : ": it is a draft";
    case "suppressed":
      return isByRepository(suppression)
        ? ": in this repository reviews are made on request"
        : " due to explicit suppression";
    case "cancelled":
      return ` due to ${codeSpan("cancel")}. Comment ${codeSpan(`${rules.handle} review`)} for a review of it`;
    default:
      return never(automatic.why);
  }
}

function failedWords(roles: readonly RoleSituation[], handle: string): string {
  if (roles.some(({ kind }) => kind === "retrying")) return ": its review failed and is tried again";
  if (roles.some(({ kind }) => kind === "unpaid")) return ": no paid review is left for it";
  return `: its review failed. Comment ${codeSpan(`${handle} review`)} to try again`;
}

function isByRepository(suppression: Suppression): boolean {
  return suppression.kind !== "enabled" && suppression.source.kind === "repository";
}

/** Only of roles that have nothing else to show for this head. */
function cancelledSentence(seen: Observation, { review, heads }: Situation): readonly string[] {
  if (isRead(review) || isUnderWay(review)) return [];
  const { sha, baseBranch } = heads.current;
  const stopped = review.roles.filter(({ role, kind }) => {
    const last = seen.records.runs.findLast(
      (run) => run.role === role && run.head === sha && run.baseBranch === baseBranch,
    );
    if (kind === "completed" || last === undefined) return false;
    if (last.state.kind === "cancelled") return last.state.by === "command" || last.state.by === "suppression";
    return review.toCancel.some(({ run, why }) => run === last && (why === "command" || why === "suppression"));
  });
  if (stopped.length === 0) return [];
  return [`${counted(stopped.length, "pending review was", "pending reviews were")} cancelled.`];
}

function nextSentences({ rules }: Observation, { suppression, review }: Situation): readonly string[] {
  if (suppression.kind === "enabled") {
    const isCancelled = review.automatic.kind === "not_wanted" && review.automatic.why === "cancelled";
    const isSaid = suppression.why !== "repository" || isCancelled;
    return isSaid ? ["Automatic reviews are on."] : [];
  }
  const off = isByRepository(suppression)
    ? "Automatic reviews are off"
    : `Automatic reviews are off${until(suppression)}`;
  return [`${off}. ${waysOut(rules.handle)}`];
}

function until(suppression: Suppression): string {
  if (suppression.kind !== "disabled_until") return "";
  const { next } = suppression;
  return next.kind === "enabled" ? ` until ${formatInstant(suppression.until)}` : until(next);
}

function waysOut(handle: string): string {
  return `Comment ${codeSpan(`${handle} enable-reviews`)} to switch them on, or ${codeSpan(`${handle} review`)} for a single review.`;
}
