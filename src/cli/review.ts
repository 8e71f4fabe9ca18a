import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { startProgress } from "#app/review/progress.ts";
import { type ReviewChangeOptions, reviewChange, ruleFacts } from "#app/review/review-change.ts";
import { readRunFile } from "#cli/read-run-file.ts";
import { type Terminal, toUsageError, UsageError } from "#cli/terminal.ts";
import { version } from "#cli/version.ts";
import { Rules } from "#core/model/rules.ts";
import { never } from "#core/never.ts";
import { jsonReport } from "#core/report/json-report.ts";
import { markdownReport } from "#core/report/markdown-report.ts";
import { type FailOn, type Report, reportExitCode } from "#core/report/report.ts";
import { sarifReport } from "#core/report/sarif-report.ts";
import { textReport } from "#core/report/text-report.ts";
import { visibleLine } from "#core/report/visible-text.ts";

export interface ReviewCall {
  readonly base: string | undefined;
  readonly diff: string | undefined;
  readonly range: string | undefined;
  readonly isStaged: boolean;
  readonly format: string | undefined;
  readonly failOn: string | undefined;
  readonly role: string | undefined;
  readonly output: string | undefined;
  readonly config: string | undefined;
  readonly isColourless: boolean;
}

/** Where it is called. */
export interface ReviewPlace {
  readonly cwd: string;
  /** Somebody looks at standard error. */
  readonly isErrShown: boolean;
  readonly signal: AbortSignal;
  /** Milliseconds from any moment on. */
  readonly now: () => number;
}

const formats = ["text", "json", "markdown", "sarif"] as const;
type Format = (typeof formats)[number];
const failOns = ["blocking", "problem", "never"] as const satisfies readonly FailOn[];

/** `drover review`: a change on this machine, looked at before anybody else has to. */
export async function review(call: ReviewCall, terminal: Terminal, place: ReviewPlace): Promise<number> {
  const format = oneOf(call.format ?? "text", formats, "--format");
  const failOn = oneOf(call.failOn ?? "blocking", failOns, "--fail-on");
  const source = sourceOf(call);
  const rules = (await readRunFile(call.config, terminal))?.rules ?? Rules.parse({});
  const progress = startProgress({ write: terminal.err, isShown: place.isErrShown });
  let report: Report;
  try {
    report = await reviewChange({
      source,
      rules,
      roles: namesIn(call.role),
      cwd: place.cwd,
      env: terminal.env,
      searchPath: terminal.searchPath,
      signal: place.signal,
      tell: progress.tell,
      now: place.now,
    });
  } catch (error) {
    if (!place.signal.aborted) throw visibleError(error);
    terminal.err("drover: stopped before the review was done\n");
    return 1;
  } finally {
    progress.end();
  }
  await hand(call, terminal, { text: written(report, { format, call, terminal, rules }), cwd: place.cwd });
  return reportExitCode(report, failOn);
}

/** What is told of a wrong call may quote names of files and commits. */
function visibleError(error: unknown): unknown {
  const told = toUsageError(error);
  if (!(told instanceof UsageError)) return told;
  return new UsageError(told.message.split("\n").map(visibleLine).join("\n"), { cause: error });
}

function oneOf<Word extends string>(word: string, words: readonly Word[], option: string): Word {
  const found = words.find((each) => each === word);
  if (found !== undefined) return found;
  throw new UsageError(`${option} "${word}" is not known. There is: ${words.join(", ")}.`);
}

function sourceOf({ base, diff, range, isStaged }: ReviewCall): ReviewChangeOptions["source"] {
  const asked = [base !== undefined, diff !== undefined, range !== undefined, isStaged].filter(Boolean);
  if (asked.length > 1) throw new UsageError("--base, --diff, --staged and --range exclude each other.");
  if (diff !== undefined) return { kind: "diff", file: diff };
  if (base !== undefined) return { kind: "base", ref: base };
  if (isStaged) return { kind: "staged" };
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

function namesIn(role: string | undefined): readonly string[] {
  return (role ?? "").split(",").flatMap((name) => (name.trim() === "" ? [] : [name.trim()]));
}

const columnsMin = 60;
const columnsMax = 120;

function written(
  report: Report,
  {
    format,
    call,
    terminal,
    rules,
  }: { readonly format: Format; readonly call: ReviewCall; readonly terminal: Terminal; readonly rules: Rules },
): string {
  switch (format) {
    case "text": {
      const columns = Math.min(columnsMax, Math.max(columnsMin, terminal.columns ?? columnsMax));
      return textReport(report, { columns, hasColours: hasColours(call, terminal) });
    }
    case "json":
      return jsonReport(report, version);
    case "markdown":
      return markdownReport(report, rules.handle);
    case "sarif":
      return sarifReport(report, { toolVersion: version, rules: ruleFacts });
    default:
      return never(format);
  }
}

/** A file is no terminal, and people's wishes come first: NO_COLOR over FORCE_COLOR, the option over both. */
function hasColours({ isColourless, output }: ReviewCall, { env, hasColours: isColourful }: Terminal): boolean {
  if (isColourless || (env["NO_COLOR"] ?? "") !== "") return false;
  const forced = env["FORCE_COLOR"];
  if (forced !== undefined && forced !== "") return forced !== "0" && forced !== "false";
  return isColourful && output === undefined;
}

async function hand(
  { output }: ReviewCall,
  terminal: Terminal,
  { text, cwd }: { readonly text: string; readonly cwd: string },
): Promise<void> {
  if (output === undefined || output === "-") {
    terminal.out(text);
    return;
  }
  try {
    await writeFile(resolve(cwd, output), text);
  } catch (error) {
    const why = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new UsageError(`${output} cannot be written (${why}).`, { cause: error });
  }
}
