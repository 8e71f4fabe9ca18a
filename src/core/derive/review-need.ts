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
} from "#core/decision/situation.ts";
import { isObeyed, lastObeyed } from "#core/derive/commands.ts";
import type { ManualRequests } from "#core/derive/manual-requests.ts";
import type { OutsiderReviewQuota } from "#core/derive/outsider-quota.ts";
import type { CommentId } from "#core/model/ids.ts";
import { earliest } from "#core/model/instant.ts";
import type { Observation } from "#core/model/observation.ts";
import type { ReviewRun, ReviewTrigger } from "#core/model/records.ts";
import { isComplete } from "#core/review/coverage.ts";
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

/** A completed run outlives a later one that runs or failed, and a full read a later partial one. */
function roleSituation(seen: Observation, role: string, runs: readonly ReviewRun[]): RoleSituation {
  const own = runs.filter((run) => run.role === role);
  const looks = own.flatMap((run) => (run.state.kind === "completed" && isKnown(seen, run.state) ? [run] : []));
  const last = looks.at(-1);
  if (last?.state.kind === "completed") {
    const states = looks.flatMap(({ state }) => (state.kind === "completed" ? [state] : []));
    // A later look that read less finds less: what the whole one found stands with what it read.
    const wholeAt = states.findLastIndex(({ coverage }) => isComplete(coverage));
    const findings = states.slice(Math.max(0, wholeAt)).flatMap((state) => state.findings);
    const { coverage } = states[wholeAt] ?? last.state;
    return { role, kind: "completed", run: last, coverage, findings };
  }
  const running = own.findLast((run) => run.state.kind === "running");
  if (running !== undefined) return { role, kind: "running", run: running };
  const failed = own.at(-1);
  if (failed?.state.kind !== "failed") return { role, kind: "unreviewed" };
  const { attempts, why, retryAt: at } = failed.state;
  if (attempts >= seen.rules.reviews.attemptsMax) return { role, kind: "given_up", why, trigger: failed.trigger };
  return at > seen.observedAt ? { role, kind: "retrying", at, why } : { role, kind: "unreviewed" };
}

/** A look whose findings were lost is no look: it would turn green what it had found red. */
function isKnown(
  seen: Observation,
  { findings }: Extract<ReviewRun["state"], { readonly kind: "completed" }>,
): boolean {
  if (findings.length === 0) return true;
  const known = new Set(seen.records.findings.map(({ id }) => id));
  return findings.every((id) => known.has(id));
}

/** The looks that are to begin now, one for each role that has nothing to show yet. */
function runsToStart(
  seen: Observation,
  context: {
    readonly heads: Heads;
    /** At the current head, in order of time. */
    readonly runs: readonly ReviewRun[];
    readonly roles: readonly RoleSituation[];
    readonly trigger: ReviewTrigger;
  },
): readonly RunToStart[] {
  const { heads, runs, roles, trigger } = context;
  return roles
    .filter(({ kind }) => kind === "unreviewed")
    .map(({ role }) => ({
      role,
      trigger,
      why: trigger.kind === "manual" ? "requested" : startReason(runs, role),
      round: roundOf(seen, heads, role),
      attempt: attemptOf(runs, role, trigger),
      follows: runs.findLast((run) => run.role === role)?.startedAt ?? null,
    }));
}

function startReason(runs: readonly ReviewRun[], role: string): RunToStart["why"] {
  const last = runs.findLast((run) => run.role === role);
  if (last === undefined) return "new_head";
  return last.state.kind === "failed" ? "retried" : "restarted";
}

/** Per role and base branch, and only runs that read something: else a new role or base finds all of it "unchanged". */
function roundOf(seen: Observation, heads: Heads, role: string): number {
  const { sha, baseBranch } = heads.current;
  let last = 0;
  for (const run of seen.records.runs) {
    if (run.role !== role || run.baseBranch !== baseBranch || run.head === sha) continue;
    if (run.state.kind === "completed" && run.state.coverage.filesRead > 0) last = Math.max(last, run.round);
  }
  return last + 1;
}

function attemptOf(runs: readonly ReviewRun[], role: string, trigger: ReviewTrigger): number {
  const isSame = (run: ReviewRun): boolean =>
    run.role === role && JSON.stringify(run.trigger) === JSON.stringify(trigger) && run.state.kind === "failed";
  const failed = runs.findLast(isSame);
  return failed?.state.kind === "failed" ? failed.state.attempts + 1 : 1;
}

interface CancelContext {
  readonly heads: Heads;
  readonly automatic: AutomaticReview;
  readonly wanted: readonly ManualRequest[];
}

function cancelledRuns(seen: Observation, context: CancelContext): readonly RunToCancel[] {
  return seen.records.runs.flatMap((run) => {
    const why = run.state.kind === "running" ? cancelReason(seen, context, run) : null;
    return why === null ? [] : [{ run, why }];
  });
}

function cancelReason(seen: Observation, context: CancelContext, run: ReviewRun): RunToCancel["why"] | null {
  const { sha, baseBranch } = context.heads.current;
  if (seen.pull.state !== "open") return "closed";
  if (run.head !== sha || run.baseBranch !== baseBranch) return "newer_head";
  if (!seen.rules.reviews.roles.some((role) => role.name === run.role)) return "role_removed";
  const { trigger } = run;
  if (trigger.kind === "manual") {
    return context.wanted.some((request) => request.comment === trigger.comment) ? null : "command";
  }
  const { automatic } = context;
  // A pull that became a draft is read to the end: what was paid for is worth having.
  if (automatic.kind === "wanted" || automatic.why === "draft") return null;
  return automatic.why === "suppressed" ? "suppression" : "command";
}
