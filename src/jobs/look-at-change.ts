import { parseDiff } from "#core/diff/diff.ts";
import type { Rules } from "#core/model/rules.ts";
import { never } from "#core/never.ts";
import { changeView, type ReadDiff, reviewedDiffBytesMax } from "#jobs/change-view.ts";
import { chooseLook } from "#jobs/choose-look.ts";
import { stopUnlessHeld } from "#jobs/end-job.ts";
import type { Waits } from "#jobs/follow-batch.ts";
import { lookByBatch } from "#jobs/look-by-batch.ts";
import { failedLook, LookOutcome, lookStep, summaryCharactersMax, unreadDiff, unreadLook } from "#jobs/look-outcome.ts";
import { paidFor, wholeCost } from "#jobs/paid-for.ts";
import { openPurse, type Purse } from "#jobs/purse.ts";
import { findStep, rememberStep } from "#jobs/remember-step.ts";
import type { ReviewTask } from "#jobs/review-task.ts";
import type { Comparing } from "#observe/change.ts";
import type { Reviewer, ReviewJob, ReviewOutcome } from "#ports/reviewer.ts";

interface Looking extends Pick<ReviewTask, "place" | "data" | "run" | "rules" | "seen"> {
  readonly compared: Comparing;
  readonly role: Rules["reviews"]["roles"][number];
}

/** Asks the reviewer of the role, once for each run. Where it takes hours, the answer is when to come back. */
export async function lookAtChange(looking: Looking): Promise<LookOutcome | Waits> {
  const { place } = looking;
  const known = await findStep(place, lookStep);
  const made = known ?? (await look(looking));
  return made.kind === "waits" ? made : await rememberStep(place, lookStep, async () => made);
}

async function look(looking: Looking): Promise<LookOutcome | Waits> {
  const { place, compared, role } = looking;
  const { mirror, base, head } = compared;
  const read = await mirror.diff({ base, head, bytesMax: reviewedDiffBytesMax, signal: place.signal });
  const reviewer = place.parts.reviewers[role.reviewer];
  if (reviewer === null) return failedLook(noReviewer(role));
  return read.kind === "diff" ? await askWithinBudget(looking, reviewer, read) : unreadDiff(read);
}

function noReviewer({ name, reviewer }: Looking["role"]): string {
  return (
    `The role "${name}" is to be played by a reviewer of the kind "${reviewer}", and none is configured. ` +
    `Configure one, or set the role's reviewer to "rules".`
  );
}

/** What costs nothing is asked without further ado. */
async function askWithinBudget(looking: Looking, reviewer: Reviewer, read: ReadDiff): Promise<LookOutcome | Waits> {
  const { place, data, run } = looking;
  const job: ReviewJob = { ...jobOf(looking, read), mayWait: reviewer.batched !== undefined };
  if (reviewer.offers === undefined) return await ask(looking, () => reviewer.review(job));
  const purse = await openPurse(place, { pull: data.pull, head: run.head, role: run.role });
  // Whoever sees to a cancelled run counts it by the purse: one that was opened after that must not pay for anything.
  await stopUnlessHeld(place);
  const outcome = await askFor({ looking, reviewer, job, purse, read });
  if (outcome.kind === "waits") {
    await purse.flush();
    return outcome;
  }
  // Attempts that died on the way have cost something too.
  return { ...outcome, costMicroUsd: Math.max(outcome.costMicroUsd, await purse.settle()) };
}

interface PaidLook {
  readonly looking: Looking;
  readonly reviewer: Reviewer;
  readonly job: ReviewJob;
  readonly purse: Purse;
  readonly read: ReadDiff;
}

/** As the chosen offer says. A batch of which nothing came is made up for by a live look, if that can be paid for. */
async function askFor({ looking, reviewer, job, purse, read }: PaidLook): Promise<LookOutcome | Waits> {
  const { place, data, rules } = looking;
  const { onCall, mayGoOn } = purse;
  const { handle } = rules;
  let choice = await chooseLook(place, { reviewer, job, purse, handle });
  let nothingCame: string | null = null;
  if (choice.kind === "look" && choice.delivery === "batch" && reviewer.batched !== undefined) {
    const { batched } = reviewer;
    const looked = await lookByBatch({ place, data, batched, job: { ...job, offer: choice.offer }, onCall });
    if (looked.kind === "waits") return looked;
    if (looked.kind === "looked") return await ask(looking, async () => looked.outcome);
    nothingCame = `Nothing came of the batch (${looked.why}).`;
    choice = await chooseLook(place, { reviewer, job: { ...job, mayWait: false }, purse, handle, name: "live offer" });
  }
  if (choice.kind === "refused") return unreadLook("budget", joined(choice.words, nothingCame ?? ""), 0, pathsIn(read));
  const { offer } = choice;
  const note = job.brief?.delivery === "batch" || nothingCame !== null ? liveWords(nothingCame) : "";
  const outcome = await ask(looking, () => reviewer.review({ ...job, offer, onCall, mayGoOn }));
  return outcome.kind === "completed" ? { ...outcome, summary: joined(outcome.summary, note) } : outcome;
}

function liveWords(nothingCame: string | null): string {
  const why = nothingCame ?? "The role is set to be reviewed by batch, and nobody takes batches here.";
  return `${why} It was reviewed at once, at the full price.`;
}

function joined(summary: string, note: string): string {
  return note === "" ? summary : `${summary.slice(0, summaryCharactersMax - note.length - 1)}\n${note}`;
}

function jobOf({ place, run, rules, seen, compared }: Looking, read: ReadDiff): ReviewJob {
  const { role } = run;
  const { signal } = place;
  return { ...changeView({ compared, read, pull: seen.pull, rules, role, signal }), role, signal };
}

function pathsIn({ bytes }: ReadDiff): readonly string[] {
  const parsed = parseDiff(bytes);
  return parsed.kind === "diff" ? [...new Set(parsed.diff.files.map(({ path }) => path))] : [];
}

async function ask({ place, run }: Looking, review: () => Promise<ReviewOutcome>): Promise<LookOutcome> {
  const outcome = await paidFor(place, "reviewer", review);
  switch (outcome.kind) {
    case "completed": {
      const { kind, coverage } = outcome;
      const costMicroUsd = wholeCost(outcome.costMicroUsd);
      const findings = outcome.findings.map((finding) => ({ ...finding, role: run.role }));
      const made = { kind, findings, coverage, summary: outcome.summary.slice(0, summaryCharactersMax), costMicroUsd };
      const checked = LookOutcome.safeParse(made);
      return checked.success ? checked.data : failedLook("The reviewer's findings are not well formed.", costMicroUsd);
    }
    case "unreadable":
      return failedLook(outcome.why, wholeCost(outcome.costMicroUsd ?? 0));
    case "failed": {
      const { kind, why, retryAt } = outcome;
      return { kind, why, retryAt, costMicroUsd: wholeCost(outcome.costMicroUsd ?? 0) };
    }
    default:
      return never(outcome);
  }
}
