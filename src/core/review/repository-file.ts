import { z } from "zod";
import type { Data } from "#core/model/data.ts";
import { ReviewRules, Role, type Rules } from "#core/model/rules.ts";

export const repositoryFilePath = ".drover.yml";
export const baseRulesBytesMax = 64_000;

/** Who is asked, at what price and what follows is the operator's alone. */
export const RepositoryFile = z.strictObject({
  reviews: z
    .strictObject({
      automatic: z.enum(["enabled", "disabled"]).optional(),
      excludedPaths: ReviewRules.shape.excludedPaths,
      pathInstructions: ReviewRules.shape.pathInstructions,
      roles: z.array(Role.pick({ name: true, instructions: true, paths: true })).default(() => []),
    })
    .prefault(() => ({})),
});
export type RepositoryFile = Data<typeof RepositoryFile>;

export interface RulesInForce {
  readonly rules: Rules;
  readonly problems: readonly string[];
}

const pathInstructionsMax = 50;

/** The operator's own words come first, and its choice of paths stands. */
export function applyRepositoryFile(rules: Rules, { reviews: said }: RepositoryFile): RulesInForce {
  const { reviews } = rules;
  const problems: string[] = [];
  const pathInstructions = [...reviews.pathInstructions, ...said.pathInstructions];
  if (pathInstructions.length > pathInstructionsMax) {
    problems.push(`reviews.pathInstructions: only the first ${pathInstructionsMax} of them count`);
  }
  for (const { name } of said.roles.filter((one) => !reviews.roles.some((role) => role.name === one.name))) {
    const known = reviews.roles.map((role) => role.name).join(", ");
    problems.push(`reviews.roles: there is no role "${name}". There is: ${known}`);
  }
  const roles = reviews.roles.map((role) => {
    const own = said.roles.find(({ name }) => name === role.name);
    if (own === undefined) return role;
    if (own.paths !== undefined && role.paths !== undefined) {
      problems.push(`reviews.roles: the paths of the role "${role.name}" are set by the operator`);
    }
    const instructions = [role.instructions, own.instructions].filter((words) => words !== undefined);
    const paths = role.paths ?? own.paths;
    return {
      ...role,
      ...(instructions.length === 0 ? {} : { instructions: instructions.join("\n") }),
      ...(paths === undefined ? {} : { paths }),
    };
  });
  const excludedPaths = [...reviews.excludedPaths, ...said.excludedPaths];
  const automatic = (reviews.repositorySetsAutomatic ? said.automatic : undefined) ?? reviews.automatic;
  const merged = { automatic, excludedPaths, roles, pathInstructions: pathInstructions.slice(0, pathInstructionsMax) };
  return { rules: { ...rules, reviews: { ...reviews, ...merged } }, problems };
}
