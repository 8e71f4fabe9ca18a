import type { Observation } from "#core/model/observation.ts";
import type { Situation } from "#core/model/situation.ts";
import type { RetriedWork } from "#core/plan/run-failures.ts";
import type { TriedAction } from "#core/plan/run-tasks.ts";

export type RunTick =
  | {
      readonly kind: "looked";
      readonly seen: Observation;
      readonly situation: Situation;
      readonly did: readonly TriedAction[];
    }
  | { readonly kind: "settled" }
  | { readonly kind: "stale" };

export interface OpenWrite {
  readonly state:
    | { readonly kind: "ready"; readonly refusal: string | null }
    | { readonly kind: "sending" | "unknown" | "done" };
  readonly attempts: number;
}

export interface RunProgress {
  readonly report: RunTick | undefined;
  readonly retried: readonly RetriedWork[];
  readonly open: readonly OpenWrite[];
  readonly triesMax: number;
}

/** Forges find it out when they are asked, within seconds. One that never does is not waited for. */
export const mergeabilityUnknown = "the forge still checks whether it can be merged";

/** Null: no due entry is its own work. People, checks and timers are not waited for: their event starts another run. */
export function waitReason({ report, retried, open, triesMax }: RunProgress): string | null {
  if (retried.some(({ attempt }) => attempt < triesMax)) return "something has to be tried again";
  if (retried.some(({ queue }) => queue === "tick")) return null;
  if (report === undefined) return "the first check of the pull is still to come";
  if (report.kind === "stale") return "the forge gave a stale answer";
  if (report.kind === "settled") return "the next check decides what follows";
  if (open.some(({ state }) => state.kind === "sending" || state.kind === "unknown")) {
    return "the forge has not confirmed the last write yet";
  }
  if (report.did.some(isNews)) return "the effects of this run are checked once more";
  if (open.some((one) => isToBeRepeated(one, triesMax))) return "a write has to be tried again";
  const { review, commands, approval, merge, fixing } = report.situation;
  if (review.retryAt !== null) return "a review is tried again";
  if (fixing.kind === "waiting" && fixing.trouble?.isUnbegun !== true) return "a session begins after a pause";
  if (commands.some(({ standing }) => standing.kind === "fresh" && standing.ruling.kind === "wait")) {
    return "a command is too new to be sure of its head";
  }
  if (approval.ignored.some(({ why }) => why === "after_observation")) return "an approval is too new";
  const isUnknown = report.seen.pull.mergeability.kind === "unknown";
  const lacksNothingElse = merge.kind === "waiting" && merge.missing.every((missing) => missing === "mergeable");
  return isUnknown && lacksNothingElse ? mergeabilityUnknown : null;
}

function isNews({ action, outcome }: TriedAction): boolean {
  return action.kind !== "look_again" && outcome.kind === "done" && outcome.wasThere !== true;
}

/** What the forge has refused for good is refused the next time too. */
function isToBeRepeated({ state, attempts }: OpenWrite, triesMax: number): boolean {
  if (state.kind !== "ready" || attempts === 0 || attempts >= triesMax) return false;
  return state.refusal === null || !lastingRefusals.has(state.refusal);
}

const lastingRefusals: ReadonlySet<string> = new Set([
  "refused",
  "forbidden",
  "may_not_approve",
  "not_found",
  "unauthorized",
]);
