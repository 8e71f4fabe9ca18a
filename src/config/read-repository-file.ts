import { operatorKeys } from "#config/operator-config.ts";
import { checkConfig, readYaml } from "#config/parse-config.ts";
import { ReviewRules, Role, Rules } from "#core/model/rules.ts";
import { hasHiddenCharacters } from "#core/prompt/hidden-characters.ts";
import { applyRepositoryFile, RepositoryFile, type RulesInForce } from "#core/review/repository-file.ts";

/** Operator keys are reported and left out; an unreadable file is left out whole. No problem stops a review. */
export function readRepositoryFile(rules: Rules, file: string): RulesInForce {
  const yaml = readYaml(file);
  if (yaml.kind === "wrong") return { rules, problems: yaml.problems.slice(0, problemsMax) };
  const { kept, refused } = withoutProtected(yaml.value, rules);
  const read = checkConfig(RepositoryFile, kept);
  if (read.kind === "wrong") {
    return { rules, problems: [...refused, ...read.problems].slice(0, problemsMax) };
  }
  // These words are the only instructions to a model from a repository, so people must be able to see them.
  if (stringsIn(read.value).some(hasHiddenCharacters)) {
    return { rules, problems: [...refused, "it has invisible characters"].slice(0, problemsMax) };
  }
  const added = applyRepositoryFile(rules, read.value);
  return { rules: added.rules, problems: [...refused, ...added.problems].slice(0, problemsMax) };
}

/** For a file of another kind, a list of all its errors would not help. */
const problemsMax = 10;

/** Only for values that passed the schema, which are not deep. */
function stringsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

const ours = ["providers", "agents", "agent", "models", "model", "prices", "budgets", "rules", "url", "key"];
const topProtected = new Set([...ours, "forges", ...Object.keys(operatorKeys), ...Object.keys(Rules.shape)]);
const reviewsProtected = new Set([...ours, ...Object.keys(ReviewRules.shape)]);
const roleProtected = new Set([...ours, ...Object.keys(Role.shape)]);

interface Sifted {
  readonly kept: unknown;
  readonly refused: readonly string[];
}

function withoutProtected(value: unknown, rules: Rules): Sifted {
  const top = sift(value, { place: "", known: ["reviews"], guarded: topProtected });
  if (!isRecord(top.kept)) return top;
  const { reviews: said } = top.kept;
  const automatic = rules.reviews.repositorySetsAutomatic ? ["automatic"] : [];
  const known = ["excludedPaths", "pathInstructions", "roles", ...automatic];
  const reviews = sift(said, { place: "reviews.", known, guarded: reviewsProtected });
  if (!isRecord(reviews.kept)) return { kept: top.kept, refused: top.refused };
  const { roles: list } = reviews.kept;
  const roles = Array.isArray(list)
    ? list.map((role: unknown, index) => {
        return sift(role, {
          place: `reviews.roles.${index}.`,
          known: ["name", "instructions", "paths"],
          guarded: roleProtected,
        });
      })
    : undefined;
  const kept = roles === undefined ? reviews.kept : { ...reviews.kept, roles: roles.map((role) => role.kept) };
  const refused = [top, reviews, ...(roles ?? [])].flatMap((one) => one.refused);
  return { kept: { ...top.kept, reviews: kept }, refused };
}

interface Sieve {
  readonly place: string;
  readonly known: readonly string[];
  readonly guarded: ReadonlySet<string>;
}

/** Unknown keys stay in, so that the schema rejects them. */
function sift(value: unknown, { place, known, guarded }: Sieve): Sifted {
  if (!isRecord(value)) return { kept: value, refused: [] };
  const refused = Object.keys(value).filter((key) => guarded.has(key) && !known.includes(key));
  const kept = Object.fromEntries(Object.entries(value).filter(([key]) => !refused.includes(key)));
  return { kept, refused: refused.map((key) => `${place}${key}: only the operator can set it`) };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
