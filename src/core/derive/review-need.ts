import { cancelledRuns } from "#core/derive/cancelled-runs.ts";
import { isObeyed, lastObeyed } from "#core/derive/commands.ts";
import type { ManualRequests } from "#core/derive/manual-requests.ts";
import type { OutsiderReviewQuota } from "#core/derive/outsider-review-quota.ts";
import { roleSituation } from "#core/derive/role-situation.ts";
import { runsToStart } from "#core/derive/runs-to-start.ts";
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
  RunToStart,
  SaidCommand,
  Suppression,
} from "#core/model/situation.ts";
import { isPaidRole } from "#core/review/paid-role.ts";

interface Context {
  readonly heads: Heads;
  readonly suppression: Suppression;
  readonly commands: readonly SaidCommand[];
  readonly requests: ManualRequests;
  readonly budget: OutsiderReviewQuota;
}

/** Uses only the records, not the event that woke Drover: an interrupted review is simply not there yet. */
export function deriveReview(seen: Observation, context: Context): ReviewSituation {
  const { heads, requests } = context;
  const automatic = automaticReview(seen, context);
  const runs = runsAtHead(seen, heads);
  const roles = automatic.kind === "wanted" ? payableRoles(seen, context, runs) : rolesOf(seen, runs);
  const isWholeAutomatic = roles.every(({ kind }) => kind !== "unpaid");
  const isAutomaticOpen = automatic.kind === "wanted" && roles.some(isUnsettled);
  const answered = requests.pending.filter((request) => isAnswered(seen, request, runs));
  const open = requests.pending.filter((request) => !answered.includes(request));
  const failed = open.flatMap((request) => failureOf(seen, request, runs));
  const waiting = open.filter((request) => !failed.some(({ comment }) => comment === request.comment));
  const running = new Set(runs.filter(isRunning).flatMap(requestOf));
  const toDismiss = waiting.filter(
    (request) =>
      !running.has(request.comment) &&
      ((isAutomaticOpen && isWholeAutomatic) || isCoveredByAutomatic(seen, request, runs)),
  );
  const wanted = waiting.filter((request) => !toDismiss.includes(request));
  const trigger = { kind: "automatic" } as const;
  return {
    automatic,
    roles,
    toStart: isAutomaticOpen
      ? runsToStart(seen, { heads, runs, roles, trigger })
      : manualRuns(seen, heads, wanted, runs),
    toCancel: cancelledRuns(seen, { heads, automatic, wanted }),
    toDismiss: toDismiss.map((request) => request.comment),
    toComplete: [...answered, ...failed].map((request) => request.comment),
    pendingManual: wanted,
    failedManual: failed,
    overBudget: requests.overBudget,
    retryAt: retryAt([...roles, ...wanted.flatMap((request) => rolesFor(seen, request, runs))]),
  };
}

function automaticReview(seen: Observation, context: Context): AutomaticReview {
  if (seen.pull.state !== "open") return { kind: "not_wanted", why: "closed" };
  if (seen.pull.isDraft) return { kind: "not_wanted", why: "draft" };
  if (context.suppression.kind !== "enabled") return { kind: "not_wanted", why: "suppressed" };
  if (isCancelled(context)) return { kind: "not_wanted", why: "cancelled" };
  return { kind: "wanted" };
}

function rolesOf(seen: Observation, runs: readonly ReviewRun[]): readonly RoleSituation[] {
  return seen.rules.reviews.roles.map((role) => roleSituation(seen, role.name, runs));
}

/** Paid roles of an author without write permission begin only while quota is left. */
function payableRoles(seen: Observation, context: Context, runs: readonly ReviewRun[]): readonly RoleSituation[] {
  const { budget, heads } = context;
  const paid = new Set(seen.rules.reviews.roles.filter(isPaidRole).map(({ name }) => name));
  const isToPay = (role: RoleSituation): boolean => role.kind === "unreviewed" && paid.has(role.role);
  const roles = rolesOf(seen, runs);
  if (!roles.some(isToPay) || budget.takeHead(heads.current, askedByWriters(context))) return roles;
  const { max } = budget;
  const used = Math.min(budget.used(), max);
  return roles.map((role) => (isToPay(role) ? { role: role.role, kind: "unpaid", used, max } : role));
}

/** `enable-reviews` covers the head that is current when it is obeyed, and no later one. */
function askedByWriters({ commands, heads }: Context): number {
  return commands.filter(
    (said) => said.command.word === "enable-reviews" && said.isWriter && isObeyed(said) && said.head === heads.current,
  ).length;
}

/** If the head cannot be proven and there was only one, it was that one: a review can be asked for again. */
function isCancelled({ commands, heads }: Context): boolean {
  const last = lastObeyed(commands, ["cancel", "review", "enable-reviews"]);
  if (last === undefined || last.command.word !== "cancel") return false;
  return last.head === heads.current || (last.head === null && heads.history.length === 1);
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

/** A run that was given up, or is not paid for, waits for a person to ask. */
function isUnsettled(role: RoleSituation): boolean {
  return role.kind !== "completed" && role.kind !== "given_up" && role.kind !== "unpaid";
}

/** The oldest request goes first; the others are answered by the same review. */
function manualRuns(
  seen: Observation,
  heads: Heads,
  wanted: readonly ManualRequest[],
  runs: readonly ReviewRun[],
): readonly RunToStart[] {
  const request = wanted[0];
  if (request === undefined || seen.pull.state !== "open" || runs.some(isRunning)) return [];
  const trigger = { kind: "manual", comment: request.comment, by: request.by } as const;
  return runsToStart(seen, { heads, runs, roles: rolesFor(seen, request, runs), trigger });
}

function rolesFor(seen: Observation, request: ManualRequest, runs: readonly ReviewRun[]): readonly RoleSituation[] {
  const own = runs.filter((run) => requestOf(run).includes(request.comment));
  return rolesOf(seen, own);
}

/** One role's failure does not end what the others are doing. */
function failureOf(seen: Observation, request: ManualRequest, runs: readonly ReviewRun[]): readonly FailedRequest[] {
  const roles = rolesFor(seen, request, runs);
  const failed = roles.find((role) => role.kind === "given_up");
  return failed === undefined || roles.some(isUnsettled) ? [] : [{ ...request, role: failed.role, why: failed.why }];
}

/** A later request that was answered first counts too. */
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

/** Another look would find the same again. */
function isCoveredByAutomatic(seen: Observation, request: ManualRequest, runs: readonly ReviewRun[]): boolean {
  return seen.rules.reviews.roles.every((role) =>
    runs.some(
      ({ role: name, trigger, state }) =>
        name === role.name && trigger.kind === "automatic" && state.kind === "completed" && state.at >= request.at,
    ),
  );
}

function retryAt(roles: readonly RoleSituation[]): ReviewSituation["retryAt"] {
  return earliest(roles.map((role) => (role.kind === "retrying" ? role.at : undefined))) ?? null;
}
