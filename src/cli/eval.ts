import { resolve } from "node:path";
import { type EvalConfiguration, type EvalSetOptions, evalSet } from "#app/eval/eval-set.ts";
import { openLocalReviewers } from "#app/review/local-reviewers.ts";
import { version } from "#app/version.ts";
import { startProgress } from "#cli/progress.ts";
import { readNames } from "#cli/read-names.ts";
import { readRunFile } from "#cli/read-run-file.ts";
import { handReport, type OutputAsked, textPage } from "#cli/report-output.ts";
import type { ReviewCommandContext } from "#cli/review.ts";
import { readNamedFile, type Terminal, UsageError } from "#cli/terminal.ts";
import { visibleError } from "#cli/visible-error.ts";
import { shortfalls } from "#core/eval/eval-bounds.ts";
import { evalJson, readEarlier } from "#core/eval/eval-json.ts";
import type { EvalReport } from "#core/eval/eval-report.ts";
import { evalText } from "#core/eval/eval-text.ts";
import { visibleLine } from "#core/terminal/visible-text.ts";

export interface EvalCall extends OutputAsked {
  readonly set: string;
  readonly role?: string | undefined;
  readonly config?: string | undefined;
  readonly model?: string | undefined;
  readonly against?: string | undefined;
  readonly repeat: string;
  readonly jobs: string;
  readonly budget?: string | undefined;
  readonly resume?: string | undefined;
  readonly skipBad?: boolean | undefined;
  readonly failUnderRecall?: string | undefined;
  readonly failUnderPrecision?: string | undefined;
  readonly json?: boolean | undefined;
}

const callLimits = { attemptsMax: 100, looksMax: 32 } as const;

export async function evaluate(call: EvalCall, terminal: Terminal, place: ReviewCommandContext): Promise<number> {
  const { set } = call;
  if (set === "") throw new UsageError("name the cases with --set DIR.");
  const bounds = {
    recallMin: readShare(call.failUnderRecall, "--fail-under-recall"),
    precisionMin: readShare(call.failUnderPrecision, "--fail-under-precision"),
  };
  const limits = {
    attempts: readCount(call.repeat, { option: "--repeat", max: callLimits.attemptsMax }),
    looksMax: readCount(call.jobs, { option: "--jobs", max: callLimits.looksMax }),
    budgetMicroUsd: readDollars(call.budget),
  };
  const progress = startProgress({ write: terminal.err, isShown: place.isErrShown, columns: terminal.columns });
  const warnings: string[] = [];
  let report: EvalReport;
  try {
    const open = { call, terminal, warn: (words: string) => warnings.push(words), tell: progress.tell };
    report = await evalSet({
      ...limits,
      set,
      folder: resolve(place.cwd, set),
      skipsBad: call.skipBad === true,
      configuration: await openConfiguration(call.config, { ...open, model: call.model }),
      against: await openAgainst(call.against, open),
      roles: readNames(call.role),
      keptFile: call.resume === undefined ? null : resolve(place.cwd, call.resume),
      needsExpected: bounds.recallMin !== null,
      signal: place.signal,
      tell: progress.tell,
      now: place.now,
    });
  } catch (error) {
    throw visibleError(error);
  } finally {
    progress.end();
    for (const warning of warnings) terminal.err(`warning: ${visibleLine(warning)}\n`);
  }
  const text = call.json === true ? evalJson(report, version) : evalText(report, textPage(call, terminal));
  await handReport(call, terminal, { text, cwd: place.cwd });
  const short = shortfalls(report, bounds);
  if (short.length > 0) terminal.err(`drover: no pass: ${short.join("; ")}\n`);
  return short.length === 0 ? 0 : 1;
}

interface Opening {
  readonly call: EvalCall;
  readonly terminal: Terminal;
  readonly warn: (words: string) => void;
  readonly tell: (words: string) => void;
}

async function openConfiguration(
  file: string | undefined,
  { call, terminal, warn, tell, model }: Opening & { readonly model: string | undefined },
): Promise<EvalConfiguration> {
  const config = await readRunFile(file, terminal);
  const { env, readFile, fetch } = terminal;
  const players = await openLocalReviewers({
    config,
    model,
    roles: readNames(call.role),
    // Cached answers cost nothing: only a new look asks for the price.
    isCapped: false,
    places: { env, readFile },
    warn,
    tell,
    fetch,
  });
  const name = [file ?? (model === undefined ? "the defaults" : ""), model ?? ""]
    .filter((part) => part !== "")
    .join(", ");
  return { name, players, maker: JSON.stringify([version, model ?? null, config?.models ?? {}]) };
}

async function openAgainst(file: string | undefined, opening: Opening): Promise<EvalSetOptions["against"]> {
  if (file === undefined) return null;
  const earlier = readEarlier(await readNamedFile(opening.terminal, file));
  if (earlier.kind === "report")
    return { ...earlier.summary, configuration: `${file} (${earlier.summary.configuration})` };
  if (earlier.kind === "unreadable") {
    throw new UsageError(`${file} is a report of another version of drover eval. Make it again with --json.`);
  }
  return await openConfiguration(file, { ...opening, model: undefined });
}

function readShare(text: string | undefined, option: string): number | null {
  if (text === undefined) return null;
  const share = text.trim() === "" ? Number.NaN : Number(text);
  if (share >= 0 && share <= 1) return share;
  throw new UsageError(`${option} "${text}" is no share: expected a number from 0 to 1, such as 0.8.`);
}

function readCount(text: string, { option, max }: { readonly option: string; readonly max: number }): number {
  const count = /^\d+$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= max) return count;
  throw new UsageError(`${option} "${text}" is no number from 1 to ${max}.`);
}

function readDollars(text: string | undefined): number | null {
  if (text === undefined) return null;
  const dollars = /^\$?\d+(?:\.\d+)?$/.test(text) ? Number(text.replace("$", "")) : 0;
  if (dollars > 0) return Math.round(dollars * 1_000_000);
  throw new UsageError(`--budget "${text}" is no sum of dollars, such as 2.50.`);
}
