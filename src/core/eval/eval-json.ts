import { z } from "zod";
import { type Counts, countCase, countRole, countRun, countTag, tagsOf } from "#core/eval/counts.ts";
import { comparisonOf, type EvalReport, type RunSummary, summariseRun, sumSpent } from "#core/eval/eval-report.ts";
import type { CasePass, CaseResult, EvalRun } from "#core/eval/eval-run.ts";
import { chanceWords } from "#core/eval/eval-words.ts";
import { mistakesIn } from "#core/eval/mistakes.ts";
import { ratesOf } from "#core/eval/rates.ts";
import { repeatabilityOf } from "#core/eval/repeatability.ts";
import type { RawFinding } from "#core/model/finding.ts";
import { visibleJson } from "#core/terminal/visible-text.ts";

/** Goes up when something is taken away or changes its meaning, not when something is added. */
const formatVersion = 1;
/** Tells a report from a configuration, which may be JSON as well. */
const documentKind = "drover-eval";

export function evalJson(report: EvalReport, toolVersion: string): string {
  const { run, set, skipped, against } = report;
  const { spent, isWhole } = summariseRun(run);
  const comparison = comparisonOf(report);
  const document = {
    version: formatVersion,
    kind: documentKind,
    tool: { name: "drover", version: toolVersion },
    set,
    skipped,
    configuration: run.configuration,
    roles: run.roles.map((role) => ({ ...role, ...figures(countRole(run, role.name)) })),
    attempts: run.attempts,
    isWhole,
    ending: run.ending,
    ...figures(countRun(run)),
    tags: tagsOf(run).map((tag) => ({ tag, ...figures(countTag(run, tag)) })),
    steadiness: repeatabilityOf(run),
    spent,
    cases: run.cases.map((result) => caseDocument(run, result)),
    against: against === null ? null : { ...against, ...figures(against.counts) },
    comparison: comparison === null ? null : { ...comparison, words: chanceWords(comparison) },
  };
  return `${visibleJson(document)}\n`;
}

function figures(counts: Counts) {
  return { counts, rates: ratesOf(counts) };
}

function caseDocument(run: EvalRun, result: CaseResult) {
  const { name, title, tags, expected } = result.case;
  return {
    name,
    title,
    tags,
    digest: result.digest,
    expected: expected.map(({ path, place, what, scoreMin, tags: own }) => ({
      path,
      side: place.kind === "file" ? null : place.side,
      lines: place.kind === "file" ? null : place.lines,
      what,
      scoreMin,
      tags: own,
    })),
    mistakes: mistakesIn(run, result),
    counts: countCase(run, result),
    spent: sumSpent(result.looks.map(({ spent }) => spent)),
    looks: result.looks.map(lookDocument),
  };
}

function lookDocument({ role, attempt, outcome, spent }: CasePass) {
  const common = { role, attempt, ...spent };
  if (outcome.kind === "failed") return { ...common, state: "failed", words: outcome.why };
  const { hits, accepted, wrong } = outcome.judged;
  return {
    ...common,
    state: "judged",
    unread: outcome.unread,
    hits: hits.map((hit) => (hit === null ? null : findingDocument(hit))),
    accepted: accepted.map(findingDocument),
    wrong: wrong.map(({ finding, why }) => ({ why, ...findingDocument(finding) })),
  };
}

function findingDocument({ rule, path, side, lines, score, message }: RawFinding) {
  return { rule, path, side, lines, score, message };
}

const count = z.number().nonnegative();

const CountsDocument = z.object({
  looks: count,
  expected: count,
  found: count,
  underrated: count,
  accepted: count,
  wrong: count,
  repeats: count,
  wrongBlocking: count,
  blockers: count,
  blockersFound: count,
  blockersBlocked: count,
});

const EarlierDocument = z.object({
  version: z.literal(formatVersion),
  kind: z.literal(documentKind),
  configuration: z.string(),
  isWhole: z.boolean(),
  counts: CountsDocument,
  spent: z.object({
    costMicroUsd: count,
    unpricedCalls: count,
    tokensIn: count,
    tokensCached: count,
    tokensOut: count,
    ms: count,
  }),
  cases: z.array(z.object({ name: z.string(), digest: z.string(), mistakes: count.nullable() })),
});

export type ReadEarlier =
  | { readonly kind: "report"; readonly summary: RunSummary }
  | { readonly kind: "unreadable" }
  | { readonly kind: "other" };

export function readEarlier(text: string): ReadEarlier {
  const value = parsed(text);
  if (!z.object({ kind: z.literal(documentKind) }).safeParse(value).success) return { kind: "other" };
  const read = EarlierDocument.safeParse(value);
  if (!read.success) return { kind: "unreadable" };
  const { configuration, isWhole, counts, spent, cases } = read.data;
  return { kind: "report", summary: { configuration, isWhole, counts, spent, cases } };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
