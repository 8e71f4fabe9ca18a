import { lastObeyed } from "#core/derive/commands.ts";
import type { ManualRequests } from "#core/derive/manual-requests.ts";
import { roleSituation } from "#core/derive/role-situation.ts";
import type { CommentId } from "#core/model/ids.ts";
import { earliest } from "#core/model/instant.ts";
import type { Observation } from "#core/model/observation.ts";
import type { ReviewRun } from "#core/model/records.ts";
import type {
  AutomaticReview,
  FailedRequest,
  Heads,
  ManualRequest,
  ReviewSituation,
  RoleSituation,
  RunToCancel,
  RunToStart,
  SaidCommand,
  Suppression,
} from "#core/model/situation.ts";

interface Context {
  readonly heads: Heads;
  readonly suppression: Suppression;
  readonly commands: readonly SaidCommand[];
  readonly requests: ManualRequests;
}

/**
 * Which head is to be reviewed by whom, and which running review nobody wants any more. It looks only at what is
 * recorded, never at what woke Drover: a review that was interrupted is simply not there yet, however often.
 */
export function deriveReview(seen: Observation, context: Context): ReviewSituation {
  const automatic = automaticReview(seen, context);
  const runs = runsAtHead(seen, context.heads);
  const roles = seen.rules.reviews.roles.map((role) => roleSituation(seen, role.name, runs));
  const isAutomaticOpen = automatic.kind === "wanted" && roles.some(isUnsettled);
  const { pending, overBudget } = context.requests;
  const answered = pending.filter((request) => isAnswered(seen, request, runs));
  const failed = pending.filter((request) => !answered.includes(request)).flatMap((one) => failureOf(seen, one, runs));
  const waiting = pending.filter(
    (one) => !answered.includes(one) && !failed.some(({ comment }) => comment === one.comment),
  );
  const running = new Set(runs.filter(isRunning).flatMap(requestOf));
  const toDismiss = waiting.filter(
    (request) => !running.has(request.comment) && (isAutomaticOpen || isCoveredByAutomatic(seen, request, runs)),
  );
  const wanted = waiting.filter((request) => !toDismiss.includes(request));
  return {
    automatic,
    roles,
    toStart: isAutomaticOpen ? automaticRuns(roles, runs) : manualRuns(seen, wanted, runs),
    toCancel: seen.records.runs.flatMap((run) => cancelled(seen, context, run, automatic, wanted)),
    toDismiss: toDismiss.map((request) => request.comment),
    toComplete: [...answered, ...failed].map((request) => request.comment),
    pendingManual: wanted,
    failedManual: failed,
    overBudget,
    round: roundOf(seen, context.heads),
    retryAt: earliest(roles.map((role) => (role.kind === "retrying" ? role.at : undefined))) ?? null,
  };
}

function automaticReview(seen: Observation, context: Context): AutomaticReview {
  if (seen.pull.state !== "open") return { kind: "not_wanted", why: "closed" };
  if (seen.pull.isDraft) return { kind: "not_wanted", why: "draft" };
  if (context.suppression.kind !== "enabled") return { kind: "not_wanted", why: "suppressed" };
  if (isCancelled(context)) return { kind: "not_wanted", why: "cancelled" };
  return { kind: "wanted" };
}

/** Somebody said `cancel` to this very head, and nothing after it that asks for a review. */
function isCancelled(context: Context): boolean {
  const last = lastObeyed(context.commands, ["cancel", "review", "enable-reviews"]);
  return last !== undefined && last.command.word === "cancel" && last.head === context.heads.current;
}

function runsAtHead(seen: Observation, heads: Heads): readonly ReviewRun[] {
  const { sha, baseBranch } = heads.current;
  return seen.records.runs.filter((run) => run.head === sha && run.baseBranch === baseBranch);
}

function isRunning(run: ReviewRun): boolean {
  return run.state.kind === "running";
}

function requestOf(run: ReviewRun): readonly CommentId[] {
  return run.trigger.kind === "manual" ? [run.trigger.comment] : [];
}

/** Something is still to come of it by itself. A look that was given up waits for somebody to ask. */
function isUnsettled(role: RoleSituation): boolean {
  return role.kind !== "completed" && role.kind !== "given_up";
}

function automaticRuns(roles: readonly RoleSituation[], runs: readonly ReviewRun[]): readonly RunToStart[] {
  return roles
    .filter((role) => role.kind === "unreviewed")
    .map(({ role }) => ({ role, trigger: { kind: "automatic" }, why: startReason(runs, role) }));
}

function startReason(runs: readonly ReviewRun[], role: string): RunToStart["why"] {
  const last = runs.findLast((run) => run.role === role);
  if (last === undefined) return "new_head";
  return last.state.kind === "failed" ? "retried" : "restarted";
}

/** The oldest request goes first; the others are answered by the same review. */
function manualRuns(
  seen: Observation,
  wanted: readonly ManualRequest[],
  runs: readonly ReviewRun[],
): readonly RunToStart[] {
  const request = wanted[0];
  if (request === undefined || seen.pull.state !== "open" || runs.some(isRunning)) return [];
  const trigger = { kind: "manual", comment: request.comment, by: request.by } as const;
  return rolesFor(seen, request, runs)
    .filter((situation) => situation.kind === "unreviewed")
    .map(({ role }) => ({ role, trigger, why: "requested" }));
}

/** What each role has to show for one request. */
function rolesFor(seen: Observation, request: ManualRequest, runs: readonly ReviewRun[]): readonly RoleSituation[] {
  const own = runs.filter((run) => requestOf(run).includes(request.comment));
  return seen.rules.reviews.roles.map((role) => roleSituation(seen, role.name, own));
}

function failureOf(seen: Observation, request: ManualRequest, runs: readonly ReviewRun[]): readonly FailedRequest[] {
  const failed = rolesFor(seen, request, runs).find((role) => role.kind === "given_up");
  return failed === undefined ? [] : [{ ...request, role: failed.role, why: failed.why }];
}

/** Every role has looked at the current head for this request, or for a later one that was answered first. */
function isAnswered(seen: Observation, request: ManualRequest, runs: readonly ReviewRun[]): boolean {
  return seen.rules.reviews.roles.every((role) =>
    runs.some(
      (run) =>
        run.role === role.name &&
        run.state.kind === "completed" &&
        (requestOf(run).includes(request.comment) || (run.trigger.kind === "manual" && run.startedAt > request.at)),
    ),
  );
}

/** Every role finished an automatic look at this head after the request was made: it would find the same again. */
function isCoveredByAutomatic(seen: Observation, request: ManualRequest, runs: readonly ReviewRun[]): boolean {
  return seen.rules.reviews.roles.every((role) =>
    runs.some(
      ({ role: name, trigger, state }) =>
        name === role.name && trigger.kind === "automatic" && state.kind === "completed" && state.at >= request.at,
    ),
  );
}

function cancelled(
  seen: Observation,
  context: Context,
  run: ReviewRun,
  automatic: AutomaticReview,
  wanted: readonly ManualRequest[],
): readonly RunToCancel[] {
  if (run.state.kind !== "running") return [];
  const { sha, baseBranch } = context.heads.current;
  if (seen.pull.state !== "open") return [{ run, why: "closed" }];
  if (run.head !== sha || run.baseBranch !== baseBranch) return [{ run, why: "newer_head" }];
  if (run.trigger.kind === "automatic") {
    if (automatic.kind === "wanted" || automatic.why === "draft") return [];
    return [{ run, why: automatic.why === "suppressed" ? "suppression" : "command" }];
  }
  const { comment } = run.trigger;
  return wanted.some((request) => request.comment === comment) ? [] : [{ run, why: "command" }];
}

/** The first review of a pull is round one; after it only changed code may bring new blockers. */
function roundOf(seen: Observation, heads: Heads): number {
  const { sha, baseBranch } = heads.current;
  const earlier = seen.records.runs
    .filter((run) => run.state.kind === "completed" && (run.head !== sha || run.baseBranch !== baseBranch))
    .map((run) => run.round);
  return 1 + Math.max(0, ...earlier);
}
