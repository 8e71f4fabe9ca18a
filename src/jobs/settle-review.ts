import type { Finding } from "#core/model/finding.ts";
import { after, type Instant } from "#core/model/instant.ts";
import type { Records, ReviewRun, RunState } from "#core/model/records.ts";
import { never } from "#core/never.ts";
import { converge, knownAfter } from "#core/review/converge.ts";
import type { ReviewRound } from "#core/review/review-round.ts";
import { failureId } from "#core/words/failure-id.ts";
import { lateWords } from "#core/words/late-words.ts";
import { reviewTask } from "#core/words/review-words.ts";
import { anchorFindings } from "#jobs/anchor-findings.ts";
import { againLater } from "#jobs/end-job.ts";
import { goneFindings } from "#jobs/gone-findings.ts";
import type { LookOutcome } from "#jobs/look-outcome.ts";
import { placeKnown } from "#jobs/place-known.ts";
import { endRun, type ReviewTask } from "#jobs/review-task.ts";
import { sinceLastRound } from "#jobs/since-last-round.ts";
import type { Comparing } from "#observe/change.ts";

interface Looked extends ReviewTask {
  readonly compared: Comparing;
}

/**
 * Writes down what became of a look, together with what it means for the findings that are known. False: the run was not
 * under way any more, and nothing was written down.
 */
export async function settleReview(looked: Looked, outcome: LookOutcome, records: Records): Promise<boolean> {
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
  task: ReviewTask,
  failure: { readonly why: string; readonly retryAt: Instant | null; readonly costMicroUsd: number },
): Promise<boolean> {
  const { place, data } = task;
  const { why, retryAt, costMicroUsd } = failure;
  const attempts = data.attempt;
  const now = place.parts.clock.now();
  const { instance, log } = place.parts;
  const { pull, run } = data;
  const id = failureId({ instance, repository: pull.repository.id, pull: pull.number }, reviewTask(run.role));
  log.warn({ job: place.key, id, attempt: attempts, why: why.slice(0, whyCharactersMax) }, "a review failed");
  const waitMs = Math.max(0, againLater({ ...place, attempt: attempts }, retryAt) - now);
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
  outcome: Extract<LookOutcome, { readonly kind: "completed" }>,
  records: Records,
): Promise<boolean> {
  const { place, run, rules, compared } = looked;
  const { diff, changed, renames } = await sinceLastRound(compared, { records, run, signal: place.signal });
  const found = diff === undefined ? outcome.findings : anchorFindings(diff, outcome.findings);
  const gone =
    diff === undefined ? new Set<Finding["id"]>() : await goneFindings({ compared, diff, renames }, records.findings);
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
  // Another role may have ended meanwhile, or somebody has argued: it is brought together with what is known then.
  return await endRun(looked, (known) => {
    const placed = diff === undefined ? known.findings : placeKnown(diff, known.findings, renames);
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
function forgeNow({ seen, askedAt, place }: ReviewTask): Instant {
  return after(seen.observedAt, Math.max(0, place.parts.clock.now() - askedAt));
}
