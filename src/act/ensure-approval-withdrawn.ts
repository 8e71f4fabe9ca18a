import type { EffectOutcome } from "#act/effect.ts";
import { dismissApproval, ensureReviewPublished, markApproval } from "#act/ensure-review-published.ts";
import type { PullContext } from "#act/pull-context.ts";
import type { ActionOf } from "#core/model/action.ts";
import { digestOf } from "#core/model/digest.ts";
import { actionKey } from "#core/plan/action-key.ts";

/** Without dismissal a comment says so. The forge then still counts it: only a request for changes outweighs it. */
export async function ensureApprovalWithdrawn(
  context: PullContext,
  action: ActionOf<"withdraw_approval">,
): Promise<EffectOutcome> {
  const { role, head, text, isFollowed } = action;
  const { mayDismissReviews, mayEditReviewBodies } = context.seen.capabilities;
  // Marked first: after a crash before the dismissal both are planned again. If the mark fails, the rest goes on.
  const marked = mayEditReviewBodies ? await markApproval(context, action) : null;
  if (mayDismissReviews) {
    const dismissed = await dismissApproval(context, action, text);
    if (dismissed.kind !== "refused") return dismissed;
  }
  if (isFollowed) return marked ?? { kind: "done", result: null };
  const digest = digestOf(text);
  return await ensureReviewPublished(context, {
    kind: "publish_review",
    key: actionKey("comment_instead", action.key),
    role,
    head,
    text,
    standing: [],
    update: { kind: "post", why: "approval_stays", role, event: "comment", eventWhy: "judged", digest },
  });
}
