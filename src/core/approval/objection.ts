import type { AccountSignals, ApprovalSignal } from "#core/approval/account-signals.ts";
import type { AskApprover } from "#core/approval/approver.ts";
import { compareText } from "#core/compare-text.ts";
import type { Account } from "#core/model/account.ts";
import type { Review } from "#core/model/conversation.ts";
import type { ReviewId } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import type { ApprovalRules } from "#core/model/rules.ts";

/** A formal request for changes that its author has not taken back. */
export interface Objection {
  readonly account: Account;
  readonly review: ReviewId;
  readonly at: Instant;
  /** `undetermined_permission`: the forge would not say who they are. In doubt an objection stands. */
  readonly standing: "permitted" | "undetermined_permission";
}

/**
 * While an objection stands the pull is never approved, however many others approve: teams do not forgive a merge over
 * an explicit objection. It lasts through pushes, because only the person who objected can tell whether the push
 * answers it. It holds for both protocols, because the forge shows it in red to everybody. An unknown permission never
 * grants an approval, and it does not remove an objection either: otherwise a failing permission endpoint would let a
 * pull be merged over a maintainer's objection.
 */
export function findObjections(
  voices: readonly AccountSignals[],
  ask: AskApprover,
  protocols: ApprovalRules["protocols"],
): readonly Objection[] {
  const found: Objection[] = [];
  for (const voice of voices) {
    const review = standingRequest(voice, protocols);
    if (review === undefined) continue;
    const standing = ask(voice.account);
    if (standing !== "permitted" && standing !== "undetermined_permission") continue;
    found.push({ account: voice.account, review: review.id, at: review.submittedAt, standing });
  }
  return found;
}

/**
 * A person who objected, or whose review was dismissed, after (or as far as clocks tell, at) this approval of theirs.
 */
export function isSuperseded(signal: ApprovalSignal, voice: AccountSignals): boolean {
  return voice.denials.some((review) => review.submittedAt >= signal.at);
}

/**
 * The latest request for changes, unless the same person did something else strictly later: an approval for any head,
 * or a review that was dismissed since. A thumb withdraws it only if thumbs count.
 */
function standingRequest(voice: AccountSignals, protocols: ApprovalRules["protocols"]): Review | undefined {
  const requests = voice.denials.filter((review) => review.state === "changes_requested");
  const latest = requests.sort(
    (left, right) => right.submittedAt - left.submittedAt || compareText(left.id, right.id),
  )[0];
  if (latest === undefined) return undefined;
  const isLifted =
    voice.denials.some((review) => review.state === "dismissed" && review.submittedAt > latest.submittedAt) ||
    voice.approvals.some(
      (signal) => signal.at > latest.submittedAt && (signal.protocol === "reviews" || protocols !== "reviews"),
    );
  return isLifted ? undefined : latest;
}
