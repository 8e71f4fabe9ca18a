import { lstat, readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { openAnswerCache } from "#app/eval/answer-cache.ts";
import { type CaseProblem, caseFileName, diffFileName } from "#app/eval/case-part.ts";
import { readCase, type SetCase } from "#app/eval/read-case.ts";
import { type RunSetOptions, runSet } from "#app/eval/run-set.ts";
import type { LocalReviewers } from "#app/review/local-reviewers.ts";
import { StartError } from "#app/start-error.ts";
import { compareText } from "#core/compare-text.ts";
import { type EvalReport, type RunSummary, summariseRun } from "#core/eval/eval-report.ts";
import type { EvalRun } from "#core/eval/eval-run.ts";
import { counted, listed } from "#core/words/counted.ts";
import { rulesReviewer } from "#reviewers/rules/rules-reviewer.ts";

const setLimits = { casesMax: 5_000, depthMax: 4 } as const;

export interface EvalConfiguration {
  readonly name: string;
  readonly players: LocalReviewers;
  /** Cached answers are valid only for the same models and settings. */
  readonly maker: string;
}

export interface EvalSetOptions
  extends Pick<RunSetOptions, "attempts" | "looksMax" | "budgetMicroUsd" | "signal" | "tell" | "now"> {
  readonly set: string;
  readonly folder: string;
  readonly skipsBad: boolean;
  readonly configuration: EvalConfiguration;
  readonly against: EvalConfiguration | RunSummary | null;
  readonly roles: readonly string[];
  readonly keptFile: string | null;
  readonly needsExpected: boolean;
}

/** Finds everything that can be wrong before it asks any model. */
export async function evalSet(options: EvalSetOptions): Promise<EvalReport> {
  const { configuration, against, set, budgetMicroUsd } = options;
  const plans = [configuration, ...(isConfiguration(against) ? [against] : [])].map((one) => ({
    one,
    roles: rolesOf(one, options.roles),
  }));
  const { cases, problems } = await readSet(options.folder);
  if (cases.length === 0 || (problems.length > 0 && !options.skipsBad)) throw wrongSet(set, problems);
  if (options.needsExpected && cases.every((each) => each.case.expected.length === 0)) {
    throw new StartError(`no case of ${set} expects a finding, so there is no recall to measure.`);
  }
  const kept = options.keptFile === null ? null : await openAnswerCache(options.keptFile);
  const runs: EvalRun[] = [];
  for (const { one, roles } of plans) {
    const left = budgetMicroUsd === null ? null : budgetMicroUsd - paidIn(runs);
    const { rules, reviewers } = one.players;
    const everybody = { rules: rulesReviewer(), model: null, agent: null, ...reviewers };
    const common = { ...options, cases, kept, roles, reviews: rules.reviews, reviewers: everybody, maker: one.maker };
    runs.push(await runSet({ ...common, configuration: one.name, budgetMicroUsd: left }));
  }
  const [run, other] = runs;
  if (run === undefined) throw new Error("evalSet: there is always one configuration");
  return {
    set,
    skipped: problems.map(problemWords),
    run,
    against: other === undefined ? (isConfiguration(against) ? null : against) : summariseRun(other),
  };
}

function isConfiguration(against: EvalSetOptions["against"]): against is EvalConfiguration {
  return against !== null && "players" in against;
}

/** An evaluation of half of the roles would pass for one of all, so a role without a reviewer stops it. */
function rolesOf({ name: file, players }: EvalConfiguration, names: readonly string[]): RunSetOptions["roles"] {
  const all = players.rules.reviews.roles;
  const unknown = names.find((name) => !all.some((role) => role.name === name));
  if (unknown !== undefined) {
    throw new StartError(`there is no role "${unknown}" in ${file}. It has: ${listed(all.map(({ name }) => name))}.`);
  }
  const wanted = names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
  const absent = wanted.find(({ reviewer }) => reviewer !== "rules" && (players.reviewers[reviewer] ?? null) === null);
  if (absent === undefined) return wanted;
  const why = players.absent[absent.reviewer] ?? `no reviewer of the kind "${absent.reviewer}" is configured`;
  throw new StartError(
    `the role ${absent.name} of ${file} cannot be played here: ${why}. Name the roles to evaluate with --role.`,
  );
}

function paidIn(runs: readonly EvalRun[]): number {
  const looks = runs.flatMap(({ cases }) => cases.flatMap((result) => result.looks));
  return looks.reduce((sum, { spent }) => sum + (spent.isKept ? 0 : spent.costMicroUsd), 0);
}

function problemWords({ file, what }: CaseProblem): string {
  return `${file}: ${what}`;
}

function wrongSet(set: string, problems: readonly CaseProblem[]): StartError {
  const lines = problems.map((problem) => `  ${problemWords(problem)}`).join("\n");
  const count = counted(problems.length, "thing is", "things are");
  return new StartError(
    `${count} wrong with the set ${set}; nothing was run. --skip-bad leaves these cases out.\n${lines}`,
  );
}

interface EvalSet {
  readonly cases: readonly SetCase[];
  readonly problems: readonly CaseProblem[];
}

/** A folder that is no case may hold cases. A case is read alone. */
export async function readSet(folder: string): Promise<EvalSet> {
  const found = await lstat(folder).catch(() => undefined);
  if (found?.isDirectory() !== true)
    throw new StartError(`there is no folder ${folder} that could hold a set of cases.`);
  const names = await findCases(folder, { name: "", depth: 0 });
  if (names.length === 0) {
    throw new StartError(
      `${folder} holds no case. A case is a folder with a ${diffFileName} and a ${caseFileName} in it.`,
    );
  }
  if (names.length > setLimits.casesMax) {
    throw new StartError(`${folder} holds ${names.length} cases, more than ${setLimits.casesMax}. Use a part of it.`);
  }
  const cases: SetCase[] = [];
  const problems: CaseProblem[] = [];
  for (const name of names) {
    const read = await readCase(join(folder, name), name === "" ? basename(folder) : name);
    if (read.kind === "read") cases.push(read.case);
    else problems.push(...read.problems);
  }
  return { cases, problems };
}

async function findCases(
  folder: string,
  { name, depth }: { readonly name: string; readonly depth: number },
): Promise<readonly string[]> {
  const entries = await readdir(join(folder, name), { withFileTypes: true });
  const isCase = entries.some((entry) => entry.name === caseFileName || entry.name === diffFileName);
  if (isCase) return [name];
  if (depth === setLimits.depthMax) return [];
  const below = entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .map((entry) => (name === "" ? entry.name : `${name}/${entry.name}`));
  const found = await Promise.all(below.map((each) => findCases(folder, { name: each, depth: depth + 1 })));
  return found.flat().toSorted(compareText);
}
