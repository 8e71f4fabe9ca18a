import { type LocalReviewers, openLocalReviewers } from "#app/review/local-reviewers.ts";
import { type ReviewChangeOptions, reviewChange, ruleFacts } from "#app/review/review-change.ts";
import { runBudget } from "#app/review/run-budget.ts";
import { version } from "#app/version.ts";
import { startProgress } from "#cli/progress.ts";
import { readNames } from "#cli/read-names.ts";
import { readRunFile } from "#cli/read-run-file.ts";
import { handReport, type OutputAsked, textPage } from "#cli/report-output.ts";
import { type Terminal, UsageError } from "#cli/terminal.ts";
import { visibleError } from "#cli/visible-error.ts";
import type { Rules } from "#core/model/rules.ts";
import { never } from "#core/never.ts";
import { jsonReport } from "#core/report/json-report.ts";
import { markdownReport } from "#core/report/markdown-report.ts";
import { type FailOn, type Report, reportExitCode } from "#core/report/report.ts";
import { sarifReport } from "#core/report/sarif-report.ts";
import { textReport } from "#core/report/text-report.ts";
import { visibleLine } from "#core/terminal/visible-text.ts";

export interface ReviewCall extends OutputAsked {
  readonly base?: string | undefined;
  readonly diff?: string | undefined;
  readonly range?: string | undefined;
  readonly staged?: boolean | undefined;
  readonly format: Format;
  readonly failOn: FailOn;
  readonly role?: string | undefined;
  readonly model?: string | undefined;
  readonly budget?: string | undefined;
  readonly config?: string | undefined;
}

export interface ReviewCommandContext {
  readonly cwd: string;
  readonly isErrShown: boolean;
  readonly signal: AbortSignal;
  readonly now: () => number;
}

type Format = "text" | "json" | "markdown" | "sarif";

export async function review(call: ReviewCall, terminal: Terminal, place: ReviewCommandContext): Promise<number> {
  const source = sourceOf(call);
  const config = await readRunFile(call.config, terminal);
  const roles = readNames(call.role);
  const budget = call.budget === undefined ? null : runBudget(readUsd(call.budget));
  const progress = startProgress({ write: terminal.err, isShown: place.isErrShown, columns: terminal.columns });
  let report: Report;
  let players: LocalReviewers;
  const warnings: string[] = [];
  const warn = (words: string): void => void warnings.push(words);
  try {
    const { env, readFile, fetch } = terminal;
    players = await openLocalReviewers({
      config,
      model: call.model,
      roles,
      isCapped: budget !== null,
      places: { env, readFile },
      warn,
      tell: progress.tell,
      fetch,
    });
    report = await reviewChange({
      source,
      ...players,
      reviewers: withBudget(players.reviewers, budget),
      roles,
      cwd: place.cwd,
      env: terminal.env,
      searchPath: terminal.searchPath,
      signal: place.signal,
      tell: progress.tell,
      warn,
      now: place.now,
    });
  } catch (error) {
    if (!place.signal.aborted) throw visibleError(error);
    terminal.err("drover: stopped before the review was done\n");
    return 1;
  } finally {
    progress.end();
    for (const warning of warnings) terminal.err(`warning: ${visibleLine(warning)}\n`);
  }
  await handReport(call, terminal, {
    text: written(report, { call, terminal, rules: players.rules }),
    cwd: place.cwd,
  });
  return reportExitCode(report, call.failOn);
}

type Reviewers = NonNullable<ReviewChangeOptions["reviewers"]>;

function withBudget(reviewers: Reviewers, budget: ReturnType<typeof runBudget> | null): Reviewers {
  const { model = null } = reviewers;
  return budget === null || model === null ? reviewers : { ...reviewers, model: budget.hold(model) };
}

const usdMax = 1_000_000;

function readUsd(asked: string): number {
  const usd = /^\d{1,7}(?:\.\d{1,6})?$/.test(asked) ? Number(asked) : Number.NaN;
  if (usd <= usdMax) return Math.round(usd * 1_000_000);
  throw new UsageError(`--budget ${asked}: expected dollars, such as 0.50.`);
}

function sourceOf({ base, diff, range, staged = false }: ReviewCall): ReviewChangeOptions["source"] {
  const asked = [base !== undefined, diff !== undefined, range !== undefined, staged].filter(Boolean);
  if (asked.length > 1) throw new UsageError("--base, --diff, --staged and --range exclude each other.");
  if (diff !== undefined) return { kind: "diff", file: diff };
  if (base !== undefined) return { kind: "base", ref: base };
  if (staged) return { kind: "staged" };
  return range === undefined ? { kind: "usual" } : rangeOf(range);
}

/** As git reads it: `A..B` compares the two, `A...B` what B has since it left A. A missing end is HEAD. */
function rangeOf(range: string): ReviewChangeOptions["source"] {
  const [, from = "", dots = "", to = ""] = /^(.*?)(\.{2,3})(.*)$/.exec(range) ?? [];
  if (dots === "" || (from === "" && to === "")) {
    throw new UsageError(`--range "${range}" is no range: expected A..B, or A...B for what B has since it left A.`);
  }
  return {
    kind: "range",
    from: from === "" ? "HEAD" : from,
    to: to === "" ? "HEAD" : to,
    isFromMergeBase: dots === "...",
  };
}

function written(
  report: Report,
  { call, terminal, rules }: { readonly call: ReviewCall; readonly terminal: Terminal; readonly rules: Rules },
): string {
  switch (call.format) {
    case "text": {
      return textReport(report, textPage(call, terminal));
    }
    case "json":
      return jsonReport(report, version);
    case "markdown":
      return markdownReport(report, rules.handle);
    case "sarif":
      return sarifReport(report, { toolVersion: version, rules: ruleFacts });
    default:
      return never(call.format);
  }
}
