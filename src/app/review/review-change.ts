import { type ChangeSource, type LocalChange, localDiffBytesMax, withLocalChange } from "#app/review/local-change.ts";
import { type Reviewers, type RunRolesOptions, runRoles } from "#app/review/run-roles.ts";
import { StartError } from "#app/start-error.ts";
import { readRepositoryFile } from "#config/read-repository-file.ts";
import { type Diff, parseDiff } from "#core/diff/diff.ts";
import type { Rules } from "#core/model/rules.ts";
import { makeReport } from "#core/report/make-report.ts";
import type { Report } from "#core/report/report.ts";
import type { RuleFacts } from "#core/report/sarif-rule.ts";
import { baseRulesBytesMax, type RulesInForce, repositoryFilePath } from "#core/review/repository-file.ts";
import { listed } from "#core/words/counted.ts";
import { allRules } from "#reviewers/rules/all-rules.ts";
import { rulesReviewer } from "#reviewers/rules/rules-reviewer.ts";

export interface ReviewChangeOptions {
  readonly source: ChangeSource;
  readonly rules: Rules;
  /** Empty: all roles. */
  readonly roles: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly searchPath: string;
  readonly signal: AbortSignal;
  readonly tell: (words: string) => void;
  readonly warn: (words: string) => void;
  readonly now: () => number;
  readonly reviewers?: Partial<Reviewers>;
  readonly absent?: RunRolesOptions["absent"];
}

export const ruleFacts: readonly RuleFacts[] = allRules;

const secretRules: ReadonlySet<string> = new Set(
  allRules.filter(({ isSecretive }) => isSecretive).map(({ name }) => name),
);

export async function reviewChange(options: ReviewChangeOptions): Promise<Report> {
  const { rules, signal, tell, now } = options;
  const startedAt = now();
  // Before any call of git, so that mistakes are reported without a wait.
  wantedRoles(rules.reviews.roles, options.roles);
  const reviewers: Reviewers = { rules: rulesReviewer(), model: null, agent: null, ...options.reviewers };
  return await withLocalChange(options.source, options, async (change) => {
    const diff = readDiff(change);
    const inForce = await withBaseRules(change, rules);
    for (const problem of inForce.problems) options.warn(`${repositoryFilePath}: ${problem}`);
    const { reviews } = inForce.rules;
    const roles = wantedRoles(reviews.roles, options.roles);
    const { absent = {} } = options;
    const looks = await runRoles(roles, { reviewers, absent, change, diff, reviews, signal, tell });
    if (looks.every(({ outcome }) => outcome.kind === "not_run")) throw nobodyLooks(roles, absent);
    return makeReport({
      change: { words: change.words, ...change.commits },
      diff,
      looks,
      leftOut: change.leftOut,
      thresholds: reviews,
      secretRules,
      tookMs: now() - startedAt,
    });
  });
}

/** As on a forge, the base decides how it is reviewed, not the change. */
async function withBaseRules({ readBaseFile }: LocalChange, rules: Rules): Promise<RulesInForce> {
  const file = await readBaseFile(repositoryFilePath);
  if (file === null) return { rules, problems: [] };
  if (file.length > baseRulesBytesMax) return { rules, problems: [`it has more than ${baseRulesBytesMax} bytes`] };
  return readRepositoryFile(rules, new TextDecoder().decode(file));
}

type Roles = Rules["reviews"]["roles"];

function wantedRoles(all: Roles, names: readonly string[]): Roles {
  const unknown = names.find((name) => !all.some((role) => role.name === name));
  if (unknown !== undefined) {
    const known = listed(all.map(({ name }) => name));
    throw new StartError(`there is no role "${unknown}". The configuration has: ${known}.`);
  }
  return names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
}

function readDiff({ diff, words }: LocalChange): Diff {
  const parsed = parseDiff(diff, { limits: { diffBytesMax: localDiffBytesMax } });
  if (parsed.kind === "diff") return parsed.diff;
  throw new StartError(`${words} cannot be read: ${parsed.reason} (byte ${parsed.offset})`);
}

function nobodyLooks(roles: Roles, absent: RunRolesOptions["absent"]): StartError {
  const [why] = roles.flatMap(({ reviewer }) => absent[reviewer] ?? []);
  if (why !== undefined) return new StartError(`None of the selected roles can run: ${why}.`);
  const kinds = listed([...new Set(roles.map(({ reviewer }) => `"${reviewer}"`))]);
  return new StartError(
    `None of the selected roles can run: they need a reviewer of kind ${kinds}, and none is configured. Kind "rules" works without configuration.`,
  );
}
