import type { Capabilities } from "#core/model/capabilities.ts";
import type { GithubAccess } from "#forges/github/github-access.ts";

/** What GitHub can do, on github.com and on every Enterprise server that is still kept up. */
export function githubCapabilities(access: GithubAccess): Capabilities {
  return {
    mayEditReviewBodies: true,
    mayDismissReviews: true,
    mayJudgeOwnPull: false,
    mayResolveThreads: true,
    // Check runs are made by Apps alone; a plain token has statuses.
    hasNeutralGate: access.kind === "app",
    hasReactionEvents: false,
  };
}
