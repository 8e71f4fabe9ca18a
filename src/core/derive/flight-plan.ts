import type { Approval } from "#core/approval/approval.ts";
import { latestChecks } from "#core/derive/checks.ts";
import { lastObeyed } from "#core/derive/commands.ts";
import type { WholeView } from "#core/derive/whole-view.ts";
import { isDelegated } from "#core/model/delegated-merge.ts";
import type { Observation } from "#core/model/observation.ts";
import type {
  Condition,
  FlightPlan,
  Gate,
  Heads,
  Hold,
  MergeReadiness,
  Party,
  ReviewSituation,
  SaidCommand,
} from "#core/model/situation.ts";
import { never } from "#core/never.ts";

interface Context {
  readonly wholeView: WholeView;
  readonly heads: Heads;
  readonly review: ReviewSituation;
  readonly gate: Gate;
  readonly approval: Approval;
  readonly hold: Hold;
  readonly commands: readonly SaidCommand[];
}

export function deriveFlightPlan(seen: Observation, context: Context): FlightPlan {
  const conditions: readonly Condition[] = [
    isOpen(seen),
    isSeenWhole(context.wholeView),
    isReady(seen),
    passesGate(context.gate, context.review),
    isApproved(context.approval),
    passesChecks(seen, context.heads),
    isMergeable(seen),
    isFree(context.hold),
    isWanted(seen, context),
  ];
  return { conditions, turn: conditions.find((condition) => !condition.isMet)?.turn ?? "drover" };
}

export function deriveMerge(
  seen: Observation,
  plan: FlightPlan,
  { heads, commands }: Pick<Context, "heads" | "commands">,
): MergeReadiness {
  if (seen.pull.state === "merged") return { kind: "done" };
  if (seen.rules.merge.when === "never") return { kind: "off" };
  const missing = plan.conditions.filter((condition) => !condition.isMet).map((condition) => condition.kind);
  if (missing.length > 0) return { kind: "waiting", missing };
  const { sha: head, baseBranch } = heads.current;
  const queued = seen.records.mergeQueued;
  const isQueued = queued !== null && queued.head === head && queued.baseBranch === baseBranch;
  return { kind: isQueued ? "queued" : "ready", head, wish: findWish({ heads, commands })?.comment ?? null };
}

function isOpen(seen: Observation): Condition {
  const { state } = seen.pull;
  return { kind: "open", state, isMet: state === "open", turn: "nobody" };
}

function isSeenWhole({ cut, partlyRead }: WholeView): Condition {
  return { kind: "whole_view", cut, partlyRead, isMet: cut.length === 0, turn: "maintainers" };
}

function isReady(seen: Observation): Condition {
  return { kind: "ready_for_review", isMet: !seen.pull.isDraft, turn: "author" };
}

/** While a review is under way its result may lift a blocker, so no other party has to move. */
function passesGate(gate: Gate, review: ReviewSituation): Condition {
  const isReviewing = review.toStart.length > 0 || review.roles.some((role) => role.kind === "running");
  const turn = isReviewing ? "drover" : gateTurn(gate);
  return { kind: "gate", gate, isMet: gate.state === "success" || gate.state === "neutral", turn };
}

function gateTurn(gate: Gate): Party {
  if (gate.state === "failure") return gate.why === "given_up" ? "maintainers" : "author";
  if (gate.state !== "pending") return "drover";
  switch (gate.why) {
    case "reviewing":
    case "retrying":
      return "drover";
    case "closed":
      return "nobody";
    case "draft":
      return "author";
    case "suppressed_by_author":
    case "outsider_budget":
    case "partial":
    case "cancelled":
      return "maintainers";
    default:
      return never(gate);
  }
}

function isApproved(approval: Approval): Condition {
  // After the time-out it is not another party's move.
  const { status } = approval.status === "timeout" ? approval.why.before : approval;
  const turn = status === "changes_requested" ? "author" : "reviewers";
  return { kind: "approval", approval, isMet: approval.status === "approved", turn };
}

/** No check at all is not green: just after a push there is none yet. */
function passesChecks(seen: Observation, heads: Heads): Condition {
  const checks = latestChecks(seen, heads.current.sha);
  const named = (state: "failed" | "pending"): readonly string[] =>
    checks.filter((check) => check.state === state).map((check) => check.name);
  const reported = new Set(checks.map((check) => check.name));
  const missing = seen.rules.merge.requiredChecks.filter((name) => !reported.has(name));
  const failed = [...new Set(named("failed"))].sort();
  const pending = [...new Set([...named("pending"), ...missing])].sort();
  const isGreen = checks.length > 0 && failed.length === 0 && pending.length === 0;
  const isMet = !seen.rules.merge.requireCI || isGreen;
  return { kind: "checks", failed, pending, total: checks.length, isMet, turn: failed.length > 0 ? "author" : "ci" };
}

function isMergeable(seen: Observation): Condition {
  const mergeability = seen.pull.mergeability.kind;
  const turn = mergeability === "conflicting" ? "author" : "forge";
  return { kind: "mergeable", mergeability, isMet: mergeability === "mergeable", turn };
}

function isFree(hold: Hold): Condition {
  return { kind: "no_hold", hold, isMet: hold.kind === "free", turn: "maintainers" };
}

/** The forge would give the same head back again, unless a person has changed something. */
function isWanted(seen: Observation, context: Context): Condition {
  const { when } = seen.rules.merge;
  const wish = findWish(context);
  const { sha: head, baseBranch } = context.heads.current;
  const handOver = { head, baseBranch, wish: wish?.comment ?? null };
  const givenBack = isDelegated(seen.records, "given_back", handOver) ? handOver : null;
  const isAsked = when === "when_approved" || (when === "on_command" && wish !== undefined);
  return { kind: "merge_wanted", when, givenBack, isMet: isAsked && givenBack === null, turn: "maintainers" };
}

/** A `merge` counts for the head that its author saw, and while its author may merge. */
function findWish({ heads, commands }: Pick<Context, "heads" | "commands">): SaidCommand | undefined {
  const last = lastObeyed(commands, ["merge"]);
  return last !== undefined && last.isWriter && last.head === heads.current ? last : undefined;
}
