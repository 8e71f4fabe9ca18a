import { type Diff, parseDiff } from "#core/diff/diff.ts";
import type { RawFinding } from "#core/model/finding.ts";
import type { Coverage } from "#core/model/records.ts";
import { type PackedCall, type PackedDiff, packDiff } from "#core/prompt/pack-diff.ts";
import { counted } from "#core/words/counted.ts";
import { codeSpan } from "#core/words/plain.ts";
import type { Reviewer, ReviewJob, ReviewOutcome } from "#ports/reviewer.ts";
import { type Conversed, converse } from "#reviewers/model/converse.ts";
import { modelSummary } from "#reviewers/model/model-summary.ts";
import { type PathFilter, readPathFilter } from "#reviewers/model/path-filter.ts";
import { placeFinding } from "#reviewers/model/place-finding.ts";
import { type Raised, raiseFindings, withoutRepeats } from "#reviewers/model/raise-findings.ts";
import { type PromptContext, readContext } from "#reviewers/model/read-context.ts";
import { repositoryTools, type ToolTrouble } from "#reviewers/model/repository-tools.ts";
import type { SaidFinding } from "#reviewers/model/review-answer.ts";
import { findParts, reviewPromptVersion, sharedParts } from "#reviewers/model/review-prompt.ts";
import {
  defaultReviewLimits,
  type ReviewLimits,
  type ReviewSettings,
  type RoleBrief,
} from "#reviewers/model/review-settings.ts";

/**
 * A reviewer that asks a language model: one conversation of three turns for each part of the change. What the model
 * says is looked for in the diff, weighed and bounded here; nothing of it acts.
 */
export function modelReviewer(settings: ReviewSettings): Reviewer {
  return { review: (job) => reviewByModel(settings, job) };
}

/** One review under way. */
interface Review {
  readonly job: ReviewJob;
  readonly settings: ReviewSettings;
  readonly limits: ReviewLimits;
  readonly brief: RoleBrief;
  /** Only the files that the model is shown something of: no finding can land anywhere else. */
  readonly shown: Diff;
  readonly packed: PackedDiff;
  readonly context: PromptContext;
  readonly notes: string[];
  readonly unread: Map<string, Coverage["unread"][number]["why"]>;
  costMicroUsd: number;
}

async function reviewByModel(settings: ReviewSettings, job: ReviewJob): Promise<ReviewOutcome> {
  const parsed = parseDiff(job.diff);
  if (parsed.kind !== "diff") {
    return { kind: "unreadable", why: `${parsed.reason} (byte ${parsed.offset} of the diff)` };
  }
  const limits = { ...defaultReviewLimits, ...settings.limits };
  const brief = settings.briefOf(job.role);
  const only = readPathFilter(brief.paths);
  const excluded = readPathFilter(job.excludedPaths);
  const packed = packDiff(parsed.diff, { ...limits, isExcluded: (path) => !isWanted(path, { only, excluded }) });
  let context: PromptContext;
  try {
    context = await readContext(job, limits);
  } catch (error) {
    return failed(`The repository could not be read: ${error instanceof Error ? error.message : "unknown"}`, 0);
  }
  const inCalls = new Set(packed.calls.flatMap(({ paths }) => paths));
  const review: Review = {
    job,
    settings,
    limits,
    brief,
    shown: { ...parsed.diff, files: parsed.diff.files.filter(({ path }) => inCalls.has(path)) },
    packed,
    context,
    notes: [
      ...context.notes,
      ...unusableNotes(only, "so this role looked at everything"),
      ...unusableNotes(excluded, "so it excludes nothing"),
    ],
    unread: new Map(packed.unread.map(({ path, why }) => [path, why])),
    costMicroUsd: 0,
  };
  return await talk(review);
}

/** A mistake in a pattern must not keep code from being read: that would pass for a review without findings. */
function isWanted(
  path: string,
  { only, excluded }: { readonly only: PathFilter; readonly excluded: PathFilter },
): boolean {
  const isEverything = only.isEmpty || only.unusable.length > 0;
  return !excluded.matches(path) && (isEverything || only.matches(path));
}

function unusableNotes({ unusable }: PathFilter, consequence: string): readonly string[] {
  return unusable.map((pattern) => `The pattern ${codeSpan(pattern)} cannot be read, ${consequence}.`);
}

function failed(why: string, costMicroUsd: number): ReviewOutcome {
  return { kind: "failed", why, retryAt: null, costMicroUsd };
}

/** One conversation after the other; the parts of a change do not see each other but by name. */
async function talk(review: Review): Promise<ReviewOutcome> {
  const { packed, job } = review;
  const raised: Raised[] = [];
  const said: string[] = [];
  let unreadable: string | null = null;
  for (const call of packed.calls) {
    if (job.signal.aborted) return failed("The review was cancelled.", review.costMicroUsd);
    const trouble: ToolTrouble = { why: null };
    const conversed = await converseAbout(review, call, trouble);
    review.costMicroUsd += conversed.costMicroUsd;
    const { costMicroUsd } = review;
    if (trouble.why !== null) return failed(trouble.why, costMicroUsd);
    if (conversed.kind === "failed") return { ...conversed, costMicroUsd };
    if (conversed.kind === "unreadable") {
      unreadable = conversed.why;
      leaveUnread(review, call.paths, "unreadable");
      review.notes.push(`An answer about ${counted(call.paths.length, "file", "files")} could not be read.`);
    } else {
      raised.push(raise(review, conversed));
      said.push(conversed.summary);
    }
  }
  if (unreadable !== null && raised.length === 0) {
    return { kind: "unreadable", why: unreadable, costMicroUsd: review.costMicroUsd };
  }
  return completed(review, raised, said);
}

async function converseAbout(review: Review, call: PackedCall, trouble: ToolTrouble): Promise<Conversed> {
  const { job, settings, limits, brief, context, shown } = review;
  const shared = sharedParts({ ...context, diff: call.text, notShown: notShownWords(review.packed, call) });
  return await converse({
    model: settings.modelOf(job.role),
    opening: [...shared, ...findParts(job.role, brief, call.paths)],
    tools: repositoryTools(job, trouble),
    limits,
    isPlaced: (finding: SaidFinding) => placeFinding(shown, finding) !== null,
    signal: job.signal,
  });
}

const namesMax = 60;

/** The rest of the change by name, so that the model neither misses it nor takes it for missing. */
function notShownWords({ calls, unread }: PackedDiff, call: PackedCall): string {
  const here = new Set(call.paths);
  const elsewhere = calls.flatMap(({ paths }) => paths).filter((path) => !here.has(path));
  const names = [...new Set(elsewhere), ...unread.map(({ path, why }) => `${path} (${why})`)];
  const rest = names.length - namesMax;
  return [...names.slice(0, namesMax), ...(rest > 0 ? [`and ${rest} more files`] : [])].join("\n");
}

function raise(review: Review, conversed: Extract<Conversed, { readonly kind: "answered" }>): Raised {
  const { findings, verdicts, cutFindings, unreadableTurns } = conversed;
  const { role } = review.job;
  if (cutFindings.length > 0) {
    // A known finding that is merely over the limit would else be taken for fixed.
    leaveUnread(review, placesOf(review, cutFindings), "size");
    review.notes.push(
      `The limit was reached: ${counted(cutFindings.length, "more finding", "more findings")} not shown.`,
    );
  }
  for (const turn of unreadableTurns) review.notes.push(turnNotes[turn]);
  return raiseFindings(review.shown, { role, problemScore: review.brief.problemScore, findings, verdicts });
}

const turnNotes = {
  look: "What the model answered after looking across the repository could not be read, so only the diff was judged.",
  verify: "The model's second look at its findings could not be read, so they stand as first said.",
} as const;

const placesMax = 200;

function placesOf({ shown }: Review, findings: readonly SaidFinding[]): readonly string[] {
  return findings.slice(0, placesMax).flatMap((finding) => placeFinding(shown, finding)?.path ?? []);
}

function leaveUnread(review: Review, paths: readonly string[], why: "unreadable" | "size"): void {
  for (const path of paths) if (!review.unread.has(path)) review.unread.set(path, why);
}

function completed(review: Review, raised: readonly Raised[], said: readonly string[]): ReviewOutcome {
  const { packed, unread, notes, costMicroUsd } = review;
  const findings: readonly RawFinding[] = withoutRepeats(raised.flatMap((one) => one.findings));
  const filesRead = packed.read.filter((path) => !unread.has(path)).length;
  const sum = (key: "dropped" | "belowThreshold" | "unverified"): number =>
    raised.reduce((total, one) => total + one[key], 0);
  return {
    kind: "completed",
    findings,
    coverage: { filesRead, unread: Array.from(unread, ([path, why]) => ({ path, why })) },
    summary: modelSummary({
      said,
      filesRead,
      findings: findings.length,
      dropped: sum("dropped"),
      belowThreshold: sum("belowThreshold"),
      unverified: sum("unverified"),
      unplaced: raised.flatMap((one) => one.unplaced),
      generated: packed.generated,
      notes,
      version: reviewPromptVersion,
    }),
    costMicroUsd,
  };
}
