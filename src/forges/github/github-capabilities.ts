import type { Account } from "#core/model/account.ts";
import type { Capabilities } from "#core/model/capabilities.ts";
import type { GithubAccess } from "#forges/github/github-access.ts";

/** On github.com and on every Enterprise server that is still kept up. */
export function githubCapabilities({
  access,
  bot,
  approves,
}: {
  readonly access: GithubAccess;
  readonly bot: Account;
  readonly approves: boolean | undefined;
}): Capabilities {
  return {
    mayEditReviewBodies: true,
    mayDismissReviews: true,
    mayJudgeOwnPull: false,
    // Most repositories do not let jobs approve, and a job's token may not ask.
    mayApprove: approves ?? bot.login !== actionsLogin,
    mayResolveThreads: true,
    mayReactToReviews: true,
    tellsBodyEdits: true,
    // Check runs are made by Apps alone; a plain token has statuses.
    hasNeutralGate: access.kind === "app",
    hasReactionEvents: false,
  };
}

const actionsLogin = "github-actions[bot]";
