import type { Capabilities } from "#core/model/capabilities.ts";
import type { GiteaServer } from "#forges/gitea/gitea-probe.ts";

/** What a Gitea can do in the version that it is. */
export function giteaCapabilities({ resolvesThreads }: GiteaServer): Capabilities {
  return {
    // Through the comment that holds it.
    mayEditReviewBodies: true,
    // By admins of the repository alone, which Drover has to be anyway to be told who may do what.
    mayDismissReviews: true,
    mayJudgeOwnPull: false,
    mayApprove: true,
    mayResolveThreads: resolvesThreads,
    // On the comment that holds it.
    mayReactToReviews: true,
    tellsBodyEdits: false,
    hasNeutralGate: false,
    hasReactionEvents: false,
  };
}
