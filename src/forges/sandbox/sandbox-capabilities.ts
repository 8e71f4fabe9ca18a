import type { Account } from "#core/model/account.ts";
import type { Capabilities } from "#core/model/capabilities.ts";
import type { SandboxManner, SandboxQuirks } from "#forges/sandbox/sandbox.ts";
import { gateFormOf } from "#forges/sandbox/sandbox-gate.ts";

export function sandboxCapabilities(parts: {
  readonly manner: SandboxManner;
  readonly quirks: SandboxQuirks;
  readonly account: Account;
}): Capabilities {
  return {
    mayEditReviewBodies: true,
    mayDismissReviews: true,
    mayJudgeOwnPull: false,
    mayApprove: true,
    mayResolveThreads: parts.quirks.resolvesThreads,
    mayReactToReviews: parts.quirks.reactsToReviews,
    tellsBodyEdits: !parts.quirks.hidesPushTimes,
    hasNeutralGate: gateFormOf(parts.manner, parts.account) === "check_run",
    hasReactionEvents: false,
  };
}
