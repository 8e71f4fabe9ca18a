import { z } from "zod";
import { parseDiff } from "#core/diff/diff.ts";
import type { Data } from "#core/model/data.ts";
import { RawFinding } from "#core/model/finding.ts";
import { Instant } from "#core/model/instant.ts";
import { Coverage } from "#core/model/records.ts";
import type { Rules } from "#core/model/rules.ts";
import { never } from "#core/never.ts";
import { briefOf } from "#core/review/role-brief.ts";
import { chooseLook } from "#jobs/choose-look.ts";
import type { Waits } from "#jobs/follow-batch.ts";
import { lookByBatch } from "#jobs/look-by-batch.ts";
import { paidFor, wholeCost } from "#jobs/paid-for.ts";
import { openPurse, type Purse } from "#jobs/purse.ts";
import { findStep, rememberStep } from "#jobs/remember-step.ts";
import { fileReader, repositoryView } from "#jobs/repository-view.ts";
import type { ReviewTask } from "#jobs/review-task.ts";
import type { Comparing } from "#observe/change.ts";
import type { DiffRead } from "#ports/git.ts";
import type { Reviewer, ReviewJob, ReviewOutcome } from "#ports/reviewer.ts";

/** What became of a look, as it is remembered. */
export const LookOutcome = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("completed"),
    findings: z.array(RawFinding),
    coverage: Coverage,
    summary: z.string(),
    costMicroUsd: z.number().int().nonnegative(),
  }),
  /** Nobody could read anything of it, and trying again would not help: it is said, and nothing is settled by it. */
  z.strictObject({
    kind: z.literal("unread"),
    coverage: Coverage,
    summary: z.string(),
    costMicroUsd: z.number().int().nonnegative().default(0),
  }),
  z.strictObject({
    kind: z.literal("failed"),
    why: z.string(),
    retryAt: Instant.nullable(),
    /** What it cost all the same. */
    costMicroUsd: z.number().int().nonnegative().default(0),
  }),
]);
export type LookOutcome = Data<typeof LookOutcome>;

export const lookStep = { name: "look", schema: LookOutcome };

interface Looking extends Pick<ReviewTask, "place" | "data" | "run" | "rules" | "seen"> {
  readonly compared: Comparing;
  readonly role: Rules["reviews"]["roles"][number];
}

/** Of the whole change. A larger one is not read in parts: nobody could say what a part of it means. */
export const reviewedDiffBytesMax = 20_000_000;
const summaryCharactersMax = 8_000;

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
  if (reviewer === null) return failed(noReviewer(role));
  return read.kind === "diff" ? await askWithinBudget(looking, reviewer, read) : unreadDiff(read);
}

function noReviewer({ name, reviewer }: Looking["role"]): string {
  return (
    `The role "${name}" is to be played by a reviewer of the kind "${reviewer}", and none is configured. ` +
    `Configure one, or set the role's reviewer to "rules".`
  );
}

function failed(why: string, costMicroUsd = 0): LookOutcome {
  return { kind: "failed", why, retryAt: null, costMicroUsd };
}

type ReadDiff = Extract<DiffRead, { readonly kind: "diff" }>;

/** What costs nothing is asked without further ado. */
async function askWithinBudget(looking: Looking, reviewer: Reviewer, read: ReadDiff): Promise<LookOutcome | Waits> {
  const { place, data, run } = looking;
  const job: ReviewJob = { ...jobOf(looking, read), mayWait: reviewer.batched !== undefined };
  if (reviewer.offers === undefined) return await ask(looking, () => reviewer.review(job));
  const purse = await openPurse(place, { pull: data.pull, head: run.head, role: run.role });
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
  if (choice.kind === "refused") return unread("budget", joined(choice.words, nothingCame ?? ""), 0, pathsIn(read));
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
  return {
    role: run.role,
    brief: briefOf(rules.reviews, run.role),
    head: run.head,
    baseBranch: run.baseBranch,
    diff: read.bytes,
    readFile: fileReader(compared.mirror, { new: compared.head, old: read.mergeBase }, place.signal),
    about: { title: seen.pull.title, description: seen.pull.body },
    repository: repositoryView(compared, place.signal),
    excludedPaths: rules.reviews.excludedPaths,
    signal: place.signal,
  };
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
      return checked.success ? checked.data : failed("The reviewer's findings are not well formed.", costMicroUsd);
    }
    case "unreadable":
      return failed(outcome.why, wholeCost(outcome.costMicroUsd ?? 0));
    case "failed": {
      const { kind, why, retryAt } = outcome;
      return { kind, why, retryAt, costMicroUsd: wholeCost(outcome.costMicroUsd ?? 0) };
    }
    default:
      return never(outcome);
  }
}

function unreadDiff(read: Exclude<DiffRead, { readonly kind: "diff" }>): LookOutcome {
  switch (read.kind) {
    case "over_limit":
      return unread("size", `The change is larger than ${read.max} bytes, so nobody has read it.`);
    case "unrelated":
      return unread("unreadable", "The head and its base have no history in common, so there is no change to read.");
    case "unknown_commit":
      return failed("Git does not have the commits that are to be compared.");
    default:
      return never(read);
  }
}

/** No file can be named, but something must be: a coverage without names is taken for no look at all. */
const wholeChange = "(the whole change)";

function unread(
  why: Coverage["unread"][number]["why"],
  summary: string,
  costMicroUsd = 0,
  paths: readonly string[] = [],
): LookOutcome {
  const named = paths.length === 0 ? [wholeChange] : paths;
  return {
    kind: "unread",
    coverage: { filesRead: 0, unread: named.map((path) => ({ path, why })) },
    summary,
    costMicroUsd,
  };
}
