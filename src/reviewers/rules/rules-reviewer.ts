import { type Diff, parseDiff } from "#core/diff/diff.ts";
import type { DiffFile } from "#core/diff/diff-file.ts";
import type { Side } from "#core/diff/hunk.ts";
import { type FileLines, indexLines, lineMark } from "#core/diff/line-index.ts";
import { errorText } from "#core/error-text.ts";
import type { RawFinding } from "#core/model/finding.ts";
import type { Coverage } from "#core/model/records.ts";
import { never } from "#core/never.ts";
import { compareFindings } from "#core/review/finding-order.ts";
import { type RolePaths, readRolePaths } from "#core/review/role-paths.ts";
import { type RuleCut, rulesSummary } from "#core/words/pass-summary.ts";
import { passWords } from "#core/words/pass-words.ts";
import type { Reviewer, ReviewJob, ReviewOutcome } from "#ports/reviewer.ts";
import { allRules } from "#reviewers/rules/all-rules.ts";
import { type ChangedFile, makeChangedFile } from "#reviewers/rules/changed-file.ts";
import { natureOf } from "#reviewers/rules/file-nature.ts";
import { languageOf } from "#reviewers/rules/language.ts";
import { quoteCharactersMax, reviewLimits } from "#reviewers/rules/review-limits.ts";
import type { Hit, Rule } from "#reviewers/rules/rule.ts";
import { createRuleContext, type ReadText, type RuleContext, textReader } from "#reviewers/rules/rule-context.ts";

/** Offline, free, and the same answer for the same head every time. */
export function rulesReviewer(rules: readonly Rule[] = allRules): Reviewer {
  return { review: (job) => reviewByRules(job, rules) };
}

async function reviewByRules(job: ReviewJob, rules: readonly Rule[]): Promise<ReviewOutcome> {
  const parsed = parseDiff(job.diff, { limits: { diffBytesMax: reviewLimits.diffBytesMax } });
  if (parsed.kind !== "diff") {
    return { kind: "unreadable", why: passWords.diffUnreadable(parsed) };
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
    if (job.signal.aborted) return { kind: "failed", why: passWords.cancelled, retryAt: null };
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
        reading.trouble ??= passWords.fileUnreadable(errorText(error));
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
    summary: rulesSummary({
      filesRead: readPaths.size,
      rules: rules.length,
      findings: findings.length,
      addedLines: diff.files.reduce((sum, file) => sum + file.addedLines, 0),
      cuts: counts.cuts,
      notes: passWords.unusablePatterns(paths.unusable),
    }),
    costMicroUsd: 0,
  };
}

type Unread = Coverage["unread"][number];

interface OpenedFile {
  /** Unread files have no lines: rules about the file as a whole look at it all the same. */
  readonly file: ChangedFile;
  readonly unread: Exclude<Unread["why"], "excluded"> | null;
}

async function openFile(diff: Diff, file: DiffFile, readText: ReadText): Promise<OpenedFile> {
  const obstacle = obstacleOf(file);
  if (obstacle !== null) return { file: withoutLines(diff, file), unread: obstacle };
  const shown = indexLines(diff, file);
  if (hasOverlongLine(shown)) return { file: withoutLines(diff, file), unread: "size" };
  const text = needsText(file) ? await readText("new", file.path) : null;
  return { file: makeChangedFile(shown, text), unread: null };
}

/** Of a file that goes away there is nothing to read. */
function obstacleOf({ kind, content, start, end }: DiffFile): OpenedFile["unread"] {
  if (kind === "deleted") return null;
  if (content.kind === "binary") return "binary";
  if (content.kind === "omitted") return "unreadable";
  return end - start > reviewLimits.fileBytesMax ? "size" : null;
}

/** Bytes, never fewer than characters: known without decoding. */
function hasOverlongLine({ length, marks, starts, ends }: FileLines): boolean {
  for (let index = 0; index < length; index += 1) {
    const bytes = (ends[index] ?? 0) - (starts[index] ?? 0);
    if (marks[index] === lineMark.added && bytes > reviewLimits.lineBytesMax) return true;
  }
  return false;
}

/** The lines around a change matter only for code, and a new file is in the diff as a whole. */
function needsText({ kind, path, addedLines }: DiffFile): boolean {
  if (kind === "added" || kind === "deleted" || addedLines === 0) return false;
  return natureOf(path, []) === "written" && languageOf(path) !== "prose";
}

function withoutLines(diff: Diff, file: DiffFile): ChangedFile {
  return makeChangedFile(indexLines({ bytes: diff.bytes, hunkRows: diff.hunkRows }, { ...file, hunkCount: 0 }), null);
}

interface RuleCounts {
  readonly byRule: Map<string, number>;
  readonly cuts: RuleCut[];
}

function emptyRuleCounts(): RuleCounts {
  return { byRule: new Map(), cuts: [] };
}

/** From the top of the file. The caller must say that the file was cut: else a known finding over the limit seems fixed. */
function limitHits(
  counts: RuleCounts,
  { rule, path, hits }: { readonly rule: Rule; readonly path: string; readonly hits: readonly Hit[] },
): { readonly kept: readonly Hit[]; readonly isCut: boolean } {
  const said = counts.byRule.get(rule.name) ?? 0;
  const room = Math.min(reviewLimits.findingsPerRuleAndFileMax, reviewLimits.findingsPerRuleMax - said);
  const kept = hits.length <= room ? hits : hits.toSorted((one, other) => lineOf(one) - lineOf(other)).slice(0, room);
  counts.byRule.set(rule.name, said + kept.length);
  const left = hits.length - kept.length;
  if (left > 0) counts.cuts.push({ rule: rule.name, path, left });
  return { kept, isCut: left > 0 };
}

function lineOf({ place }: Hit): number {
  if (place.kind === "file") return 0;
  return place.kind === "part" ? place.line : place.first;
}

interface RuleHits {
  readonly rule: Rule;
  readonly hits: readonly Hit[];
}

/** The quote gives a finding its identity and place. Only the rule that found a secret may quote its line. */
function raiseRuleFindings(file: ChangedFile, found: readonly RuleHits[], role: string): readonly RawFinding[] {
  const secret = new Set(found.filter(({ rule }) => rule.isSecretive).flatMap(({ hits }) => hits.flatMap(linesOf)));
  return found.flatMap(({ rule, hits }) => {
    const shown = rule.isSecretive ? hits : hits.filter((hit) => !linesOf(hit).some((line) => secret.has(line)));
    return shown.map((hit) => raise(file, { rule, hit, role }));
  });
}

function linesOf({ place }: Hit): readonly number[] {
  if (place.kind === "file") return [];
  if (place.kind === "part") return [place.line];
  return Array.from({ length: place.last - place.first + 1 }, (_, index) => place.first + index);
}

function raise(
  file: ChangedFile,
  { rule, hit, role }: { readonly rule: Rule; readonly hit: Hit; readonly role: string },
): RawFinding {
  const numbers = linesOf(hit);
  return {
    role,
    rule: rule.name,
    path: file.path,
    side: hit.place.kind === "file" ? hit.place.side : "new",
    lines: { first: numbers[0] ?? 1, last: numbers.at(-1) ?? 1 },
    snippet: quote(file, hit),
    message: hit.message,
    assessment: "",
    score: hit.score,
    suggestion: hit.suggestion,
  };
}

/** A suggestion is compared with the quoted line, so that is not cut. */
function quote(file: ChangedFile, { place, suggestion }: Hit): string {
  switch (place.kind) {
    case "file":
      return "";
    case "part":
      return wholeCharacters(textAt(file, place.line).slice(place.from, place.to).slice(-quoteCharactersMax));
    case "lines": {
      const text = textsBetween(file, place).join("\n");
      return place.first === place.last && suggestion === null
        ? wholeCharacters(text.slice(0, quoteCharactersMax))
        : text;
    }
    default:
      return never(place);
  }
}

/** A cut through a surrogate pair leaves half a character, which is nowhere in the diff. */
function wholeCharacters(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
}

function textsBetween(
  file: ChangedFile,
  { first, last }: { readonly first: number; readonly last: number },
): readonly string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => textAt(file, first + index));
}

/** Lines are in order and mostly without gaps: halving finds the right one. */
function textAt({ lines }: ChangedFile, number: number): string {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle]?.number ?? 0) < number) low = middle + 1;
    else high = middle;
  }
  return lines[low]?.number === number ? (lines[low]?.text ?? "") : "";
}
