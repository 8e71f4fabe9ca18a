import { z } from "zod";
import type { Data } from "#core/model/data.ts";
import { RawFinding } from "#core/model/finding.ts";
import { Instant } from "#core/model/instant.ts";
import { Coverage } from "#core/model/records.ts";
import type { Rules } from "#core/model/rules.ts";
import { never } from "#core/never.ts";
import { paidFor, wholeCost } from "#jobs/paid-for.ts";
import { rememberStep } from "#jobs/remember-step.ts";
import { fileReader, repositoryView } from "#jobs/repository-view.ts";
import type { ReviewTask } from "#jobs/review-task.ts";
import type { Comparing } from "#observe/change.ts";
import type { DiffRead } from "#ports/git.ts";
import type { Reviewer } from "#ports/reviewer.ts";

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
  z.strictObject({ kind: z.literal("unread"), coverage: Coverage, summary: z.string() }),
  z.strictObject({
    kind: z.literal("failed"),
    why: z.string(),
    retryAt: Instant.nullable(),
    /** What it cost all the same. */
    costMicroUsd: z.number().int().nonnegative().default(0),
  }),
]);
export type LookOutcome = Data<typeof LookOutcome>;

interface Looking extends Pick<ReviewTask, "place" | "run" | "rules" | "seen"> {
  readonly compared: Comparing;
  readonly role: Rules["reviews"]["roles"][number];
}

/** Of the whole change. A larger one is not read in parts: nobody could say what a part of it means. */
export const reviewedDiffBytesMax = 20_000_000;
const summaryCharactersMax = 8_000;

/** Asks the reviewer of the role, once for each run. */
export async function lookAtChange(looking: Looking): Promise<LookOutcome> {
  const { place, compared, role } = looking;
  return await rememberStep(place, { name: "look", schema: LookOutcome }, async () => {
    const { mirror, base, head } = compared;
    const read = await mirror.diff({ base, head, bytesMax: reviewedDiffBytesMax, signal: place.signal });
    const reviewer = place.parts.reviewers[role.reviewer];
    if (reviewer === null) return failed(noReviewer(role));
    return read.kind === "diff" ? await ask(looking, reviewer, read) : unreadDiff(read);
  });
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

async function ask(
  { place, run, rules, seen, compared }: Looking,
  reviewer: Reviewer,
  read: Extract<DiffRead, { readonly kind: "diff" }>,
): Promise<LookOutcome> {
  const outcome = await paidFor(place, "reviewer", () =>
    reviewer.review({
      role: run.role,
      head: run.head,
      baseBranch: run.baseBranch,
      diff: read.bytes,
      readFile: fileReader(compared.mirror, { new: compared.head, old: read.mergeBase }, place.signal),
      about: { title: seen.pull.title, description: seen.pull.body },
      repository: repositoryView(compared, place.signal),
      excludedPaths: rules.reviews.excludedPaths,
      signal: place.signal,
    }),
  );
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

function unread(why: Coverage["unread"][number]["why"], summary: string): LookOutcome {
  return { kind: "unread", coverage: { filesRead: 0, unread: [{ path: wholeChange, why }] }, summary };
}
