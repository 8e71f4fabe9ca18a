import type { Capabilities } from "#core/model/capabilities.ts";
import type { GiteaServer } from "#forges/gitea/gitea-probe.ts";

export function giteaCapabilities({ resolvesThreads }: GiteaServer): Capabilities {
  return {
    // Through the comment that holds it.
    mayEditReviewBodies: true,
    // Repository admins alone; Drover has to be one anyway, to be told who may do what.
    mayDismissReviews: true,
    mayJudgeOwnPull: false,
    mayApprove: true,
    mayResolveThreads: resolvesThreads,
    mayReactToReviews: true,
    tellsBodyEdits: false,
    hasNeutralGate: false,
    hasReactionEvents: false,
  };
}
