import { parseDiff } from "#core/diff/diff.ts";
import type { Rules } from "#core/model/rules.ts";
import { never } from "#core/never.ts";
import { passWords } from "#core/words/pass-words.ts";
import { type BudgetAccount, openBudgetAccount } from "#jobs/budget-account.ts";
import { changeView, type ReadDiff, reviewedDiffBytesMax } from "#jobs/change-view.ts";
import { chooseReviewOffer } from "#jobs/choose-review-offer.ts";
import type { BatchWait } from "#jobs/follow-batch.ts";
import { confirmLease } from "#jobs/job-context.ts";
import { callPaid, toWholeMicroUsd } from "#jobs/paid-call.ts";
import { failedPass, PassOutcome, passStep, summaryCharactersMax, unreadDiff, unreadPass } from "#jobs/pass-outcome.ts";
import { findStep, rememberStep } from "#jobs/remember-step.ts";
import { reviewByBatch } from "#jobs/review-by-batch.ts";
import type { RunningReview } from "#jobs/running-review.ts";
import type { ComparedCommits } from "#observe/change-facts.ts";
import type { Reviewer, ReviewJob, ReviewOutcome } from "#ports/reviewer.ts";

interface RequestedPass extends Pick<RunningReview, "context" | "data" | "run" | "rules" | "seen"> {
  readonly compared: ComparedCommits;
  readonly role: Rules["reviews"]["roles"][number];
}

/** Once for each run. A batch answers when to come back. */
export async function reviewInRole(pass: RequestedPass): Promise<PassOutcome | BatchWait> {
  const { context } = pass;
  const known = await findStep(context, passStep);
  const made = known ?? (await readAndReview(pass));
  return made.kind === "waits" ? made : await rememberStep(context, passStep, async () => made);
}

async function readAndReview(pass: RequestedPass): Promise<PassOutcome | BatchWait> {
  const { context, compared, role } = pass;
  const { mirror, base, head } = compared;
  const read = await mirror.diff({ base, head, bytesMax: reviewedDiffBytesMax, signal: context.signal });
  const reviewer = context.dependencies.reviewers[role.reviewer];
  if (reviewer === null) return failedPass(passWords.noReviewer(role));
  return read.kind === "diff" ? await askWithinBudget(pass, reviewer, read) : unreadDiff(read);
}

/** Free reviews need no account. */
async function askWithinBudget(
  pass: RequestedPass,
  reviewer: Reviewer,
  read: ReadDiff,
): Promise<PassOutcome | BatchWait> {
  const { context, data, run } = pass;
  const job: ReviewJob = { ...jobOf(pass, read), mayWait: reviewer.batched !== undefined };
  if (reviewer.offers === undefined) return await ask(pass, () => reviewer.review(job));
  const account = await openBudgetAccount(context, { pull: data.pull, head: run.head, role: run.role });
  // An account opened after the run was cancelled and settled must not pay for anything.
  await confirmLease(context);
  const outcome = await reviewAsOffered({ pass, reviewer, job, account, read });
  if (outcome.kind === "waits") {
    await account.flush();
    return outcome;
  }
  // Failed attempts have a cost too.
  return { ...outcome, costMicroUsd: await account.settle(outcome.costMicroUsd) };
}

interface PaidPass {
  readonly pass: RequestedPass;
  readonly reviewer: Reviewer;
  readonly job: ReviewJob;
  readonly account: BudgetAccount;
  readonly read: ReadDiff;
}

/** A batch without a result is replaced by a live review, if the caps allow it. */
async function reviewAsOffered({ pass, reviewer, job, account, read }: PaidPass): Promise<PassOutcome | BatchWait> {
  const { context, data, rules } = pass;
  const { onCall, mayContinue: mayGoOn } = account;
  const { handle } = rules;
  let choice = await chooseReviewOffer(context, { reviewer, job, account, handle });
  let nothingCame: string | null = null;
  if (choice.kind === "review" && choice.delivery === "batch" && reviewer.batched !== undefined) {
    const { batched } = reviewer;
    const reviewed = await reviewByBatch({ context, data, batched, job: { ...job, offer: choice.offer }, onCall });
    if (reviewed.kind === "waits") return reviewed;
    if (reviewed.kind === "reviewed") return await ask(pass, async () => reviewed.outcome);
    nothingCame = passWords.batchFailed(reviewed.why);
    choice = await chooseReviewOffer(context, {
      reviewer,
      job: { ...job, mayWait: false },
      account,
      handle,
      name: "live offer",
    });
  }
  if (choice.kind === "refused") return unreadPass("budget", joined(choice.words, nothingCame ?? ""), 0, pathsIn(read));
  const { offer } = choice;
  const note = job.brief?.delivery === "batch" || nothingCame !== null ? passWords.reviewedLive(nothingCame) : "";
  const outcome = await ask(pass, () => reviewer.review({ ...job, offer, onCall, mayGoOn }));
  return outcome.kind === "completed" ? { ...outcome, summary: joined(outcome.summary, note) } : outcome;
}

function joined(summary: string, note: string): string {
  return note === "" ? summary : `${summary.slice(0, summaryCharactersMax - note.length - 1)}\n${note}`;
}

function jobOf({ context, run, rules, seen, compared }: RequestedPass, read: ReadDiff): ReviewJob {
  const { role } = run;
  const { signal } = context;
  return { ...changeView({ compared, read, pull: seen.pull, rules, role, signal }), role, signal };
}

function pathsIn({ bytes }: ReadDiff): readonly string[] {
  const parsed = parseDiff(bytes);
  return parsed.kind === "diff" ? [...new Set(parsed.diff.files.map(({ path }) => path))] : [];
}

async function ask({ context, run }: RequestedPass, review: () => Promise<ReviewOutcome>): Promise<PassOutcome> {
  const outcome = await callPaid(context, "reviewer", review);
  switch (outcome.kind) {
    case "completed": {
      const { kind, coverage } = outcome;
      const costMicroUsd = toWholeMicroUsd(outcome.costMicroUsd);
      const findings = outcome.findings.map((finding) => ({ ...finding, role: run.role }));
      const made = { kind, findings, coverage, summary: outcome.summary.slice(0, summaryCharactersMax), costMicroUsd };
      const checked = PassOutcome.safeParse(made);
      return checked.success ? checked.data : failedPass(passWords.malformedFindings, costMicroUsd);
    }
    case "unreadable":
      return failedPass(outcome.why, toWholeMicroUsd(outcome.costMicroUsd ?? 0));
    case "failed": {
      const { kind, why, retryAt } = outcome;
      return { kind, why, retryAt, costMicroUsd: toWholeMicroUsd(outcome.costMicroUsd ?? 0) };
    }
    default:
      return never(outcome);
  }
}
