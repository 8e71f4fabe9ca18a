import { type Diff, parseDiff } from "#core/diff/diff.ts";
import type { DiffFile } from "#core/diff/diff-file.ts";
import type { Side } from "#core/diff/hunk.ts";
import { errorText } from "#core/error-text.ts";
import type { RawFinding } from "#core/model/finding.ts";
import { compareFindings } from "#core/review/finding-order.ts";
import { type RolePaths, readRolePaths } from "#core/review/role-paths.ts";
import { counted } from "#core/words/counted.ts";
import { codeSpan } from "#core/words/plain-text.ts";
import type { Reviewer, ReviewJob, ReviewOutcome } from "#ports/reviewer.ts";
import { allRules } from "#reviewers/rules/all-rules.ts";
import type { ChangedFile } from "#reviewers/rules/changed-file.ts";
import { emptyRuleCounts, limitHits, type RuleCounts, type RuleCut } from "#reviewers/rules/limit-hits.ts";
import { openFile, type Unread } from "#reviewers/rules/open-file.ts";
import { type RuleHits, raiseRuleFindings } from "#reviewers/rules/raise-findings.ts";
import { reviewLimits } from "#reviewers/rules/review-limits.ts";
import type { Rule } from "#reviewers/rules/rule.ts";
import { createRuleContext, type ReadText, type RuleContext, textReader } from "#reviewers/rules/rule-context.ts";

/** Offline, free, and the same answer for the same head every time. */
export function rulesReviewer(rules: readonly Rule[] = allRules): Reviewer {
  return { review: (job) => reviewByRules(job, rules) };
}

async function reviewByRules(job: ReviewJob, rules: readonly Rule[]): Promise<ReviewOutcome> {
  const parsed = parseDiff(job.diff, { limits: { diffBytesMax: reviewLimits.diffBytesMax } });
  if (parsed.kind !== "diff") {
    return { kind: "unreadable", why: `${parsed.reason} (byte ${parsed.offset} of the diff)` };
  }
  const reading = startReading(job);
  const review: Review = {
    rules,
    diff: parsed.diff,
    role: job.role,
    paths: readRolePaths(job),
    change: createRuleContext(parsed.diff.files, reading.readText),
    readText: reading.readText,
    counts: emptyRuleCounts(),
    findings: [],
    unread: parsed.diff.unmergedPaths.map((path) => ({ path, why: "unreadable" as const })),
  };
  for (const file of parsed.diff.files) {
    if (job.signal.aborted) return { kind: "failed", why: "The review was cancelled.", retryAt: null };
    await reviewFile(review, file);
    if (reading.trouble !== null) return { kind: "failed", why: reading.trouble, retryAt: null };
  }
  return completed(review);
}

interface Review {
  readonly rules: readonly Rule[];
  readonly diff: Diff;
  readonly role: string;
  readonly paths: RolePaths;
  readonly change: RuleContext;
  readonly readText: ReadText;
  readonly counts: RuleCounts;
  readonly findings: RawFinding[];
  readonly unread: Unread[];
}

function startReading(job: ReviewJob): { readonly readText: ReadText; trouble: string | null } {
  const read = textReader(job);
  const reading = {
    trouble: null as string | null,
    readText: async (side: Side, path: string): Promise<string | null> => {
      try {
        return await read(side, path);
      } catch (error) {
        reading.trouble ??= `A file of the repository could not be read: ${errorText(error)}`;
        return null;
      }
    },
  };
  return reading;
}

async function reviewFile(review: Review, diffFile: DiffFile): Promise<void> {
  const { path } = diffFile;
  if (!review.paths.isWanted(path)) {
    review.unread.push({ path, why: "excluded" });
    return;
  }
  const { file, unread } = await openFile(review.diff, diffFile, review.readText);
  if (unread !== null) review.unread.push({ path, why: unread });
  const found: RuleHits[] = [];
  for (const rule of review.rules) {
    if (!isFor(rule, file)) continue;
    const hits = limitHits(review.counts, { rule, path, hits: await rule.check(file, review.change) });
    if (hits.isCut) review.unread.push({ path, why: "size" });
    found.push({ rule, hits: hits.kept });
  }
  review.findings.push(...raiseRuleFindings(file, found, review.role));
}

function isFor(rule: Rule, file: ChangedFile): boolean {
  return (rule.scope === "everything" || file.nature === "written") && rule.applies(file);
}

function completed(review: Review): ReviewOutcome {
  const { diff, findings, unread, rules, counts, paths } = review;
  const missed = new Map(unread.map((entry) => [`${entry.path}\n${entry.why}`, entry]));
  const unreadPaths = new Set(unread.map(({ path }) => path));
  const readPaths = new Set(diff.files.map(({ path }) => path).filter((path) => !unreadPaths.has(path)));
  return {
    kind: "completed",
    findings: findings.toSorted(compareFindings),
    coverage: { filesRead: readPaths.size, unread: [...missed.values()] },
    summary: reviewSummary({
      filesRead: readPaths.size,
      rules: rules.length,
      findings: findings.length,
      addedLines: diff.files.reduce((sum, file) => sum + file.addedLines, 0),
      cuts: counts.cuts,
      notes: paths.notes,
    }),
    costMicroUsd: 0,
  };
}

/** Beyond it people skim: said once, without a finding. */
const linesReadWell = 1_500;
const cutsShownMax = 10;

interface ReviewFigures {
  readonly filesRead: number;
  readonly rules: number;
  readonly findings: number;
  readonly addedLines: number;
  readonly cuts: readonly RuleCut[];
  readonly notes: readonly string[];
}

function reviewSummary({ filesRead, rules, findings, addedLines, cuts, notes }: ReviewFigures): string {
  const read = counted(filesRead, "file", "files");
  const sentences = [
    `${read} read with ${counted(rules, "rule", "rules")}: ${counted(findings, "finding", "findings")}.`,
    ...(addedLines > linesReadWell
      ? [`This change adds ${addedLines} lines; smaller ones are read with more care, by people too.`]
      : []),
    ...cuts.slice(0, cutsShownMax).map(cutSentence),
    ...(cuts.length > cutsShownMax ? [`${cuts.length - cutsShownMax} more limits of this kind were reached.`] : []),
    ...notes,
  ];
  return sentences.join(" ");
}

function cutSentence({ rule, path, left }: RuleCut): string {
  const more = counted(left, "more finding", "more findings");
  return `The limit was reached: ${more} of ${codeSpan(rule)} in ${codeSpan(path)} not shown.`;
}
