import type { Finding } from "#core/model/finding.ts";
import { after, type Instant } from "#core/model/instant.ts";
import type { Records, ReviewRun, RunState } from "#core/model/records.ts";
import { never } from "#core/never.ts";
import { anchorFindings } from "#core/review/anchor-findings.ts";
import { converge, knownAfter } from "#core/review/converge.ts";
import { relocateFindings } from "#core/review/relocate-findings.ts";
import type { ReviewRound } from "#core/review/review-round.ts";
import { failureId } from "#core/words/failure-id.ts";
import { lateWords } from "#core/words/late-words.ts";
import { reviewTask } from "#core/words/review-words.ts";
import type { PassOutcome } from "#jobs/pass-outcome.ts";
import { nextAttemptAt } from "#jobs/run-job.ts";
import { endRun, type RunningReview } from "#jobs/running-review.ts";
import { sinceLastRound } from "#jobs/since-last-round.ts";
import { findVanishedFindings } from "#jobs/vanished-findings.ts";
import type { ComparedCommits } from "#observe/change-facts.ts";

interface Looked extends RunningReview {
  readonly compared: ComparedCommits;
}

/**
 * Writes down what became of a look, together with what it means for the findings that are known. False: the run was not
 * under way any more, and nothing was written down.
 */
export async function settleReview(looked: Looked, outcome: PassOutcome, records: Records): Promise<boolean> {
  switch (outcome.kind) {
    case "completed":
      return await settleCompleted(looked, outcome, records);
    case "unread": {
      const { coverage, summary, costMicroUsd } = outcome;
      return await endRun(looked, (known) => ({
        change: { spentMicroUsd: known.spentMicroUsd + costMicroUsd },
        state: completed(looked, { coverage, summary, standing: known.findings }),
      }));
    }
    case "failed":
      return await failReview(looked, outcome);
    default:
      return never(outcome);
  }
}

const whyCharactersMax = 500;

export async function failReview(
  task: RunningReview,
  failure: { readonly why: string; readonly retryAt: Instant | null; readonly costMicroUsd: number },
): Promise<boolean> {
  const { context, data } = task;
  const { why, retryAt, costMicroUsd } = failure;
  const attempts = data.attempt;
  const now = context.dependencies.clock.now();
  const { instance, log } = context.dependencies;
  const { pull, run } = data;
  const id = failureId({ instance, repository: pull.repository.id, pull: pull.number }, reviewTask(run.role));
  log.warn({ job: context.key, id, attempt: attempts, why: why.slice(0, whyCharactersMax) }, "a review failed");
  const waitMs = Math.max(0, nextAttemptAt({ ...context, attempt: attempts }, retryAt) - now);
  return await endRun(task, (known) => ({
    change: { spentMicroUsd: known.spentMicroUsd + costMicroUsd },
    state: {
      kind: "failed",
      attempts,
      why: why.slice(0, whyCharactersMax),
      // The plan compares it with the forge's time, not with this machine's.
      retryAt: after(forgeNow(task), waitMs),
    },
  }));
}

async function settleCompleted(
  looked: Looked,
  outcome: Extract<PassOutcome, { readonly kind: "completed" }>,
  records: Records,
): Promise<boolean> {
  const { context, run, rules, compared } = looked;
  const { diff, changed, renames } = await sinceLastRound(compared, { records, run, signal: context.signal });
  const found = diff === undefined ? outcome.findings : anchorFindings(diff, outcome.findings);
  const gone =
    diff === undefined
      ? new Set<Finding["id"]>()
      : await findVanishedFindings({ compared, diff, renames }, records.findings);
  const { roles } = rules.reviews;
  const round: Omit<ReviewRound, "known"> = {
    found,
    head: run.head,
    round: run.round,
    foundAt: forgeNow(looked),
    rules: rules.reviews,
    changed,
    isSecondLook: records.runs.some((one) => isEarlierLook(one, run)),
    gone,
    coverage: new Map([[run.role, outcome.coverage]]),
    renames,
    deterministicRoles: new Set(roles.filter(({ reviewer }) => reviewer === "rules").map(({ name }) => name)),
    rolesInForce: new Set(roles.map(({ name }) => name)),
  };
  // Another role may have ended meanwhile, or a person has argued: the result is merged with the records of that time.
  return await endRun(looked, (known) => {
    const placed = diff === undefined ? known.findings : relocateFindings(diff, known.findings, renames);
    const result = converge({ ...round, known: placed });
    const findings = knownAfter(result);
    const { coverage, costMicroUsd } = outcome;
    const late = result.dropped.filter(({ why }) => why === "late").map(({ finding }) => finding);
    const summary = [outcome.summary, lateWords(late)].filter((words) => words !== "").join("\n\n");
    return {
      state: completed(looked, { coverage, summary, standing: findings }),
      change: { findings, spentMicroUsd: known.spentMicroUsd + costMicroUsd },
    };
  });
}

function isEarlierLook({ role, head, baseBranch, state }: ReviewRun, run: ReviewRun): boolean {
  const isSame = role === run.role && head === run.head && baseBranch === run.baseBranch;
  return isSame && state.kind === "completed" && state.coverage.filesRead > 0;
}

function completed(
  looked: Looked,
  look: Pick<Extract<RunState, { readonly kind: "completed" }>, "coverage" | "summary"> & {
    readonly standing: readonly Finding[];
  },
): RunState {
  const { coverage, summary, standing } = look;
  const own = standing.filter(({ role, state }) => role === looked.run.role && state.kind !== "resolved");
  return { kind: "completed", at: forgeNow(looked), coverage, findings: own.map(({ id }) => id), summary };
}

/** On the forge's clock, as far as this machine's tells how long it took: requests are dated by the forge. */
function forgeNow({ seen, askedAt, context }: RunningReview): Instant {
  return after(seen.observedAt, Math.max(0, context.dependencies.clock.now() - askedAt));
}
