import { modelProblems } from "#config/model-problems.ts";
import { type ForgeConfig, OperatorConfig } from "#config/operator-config.ts";
import { parseConfig } from "#config/parse-config.ts";

export type ReadConfig =
  | { readonly kind: "read"; readonly config: OperatorConfig }
  | { readonly kind: "wrong"; readonly problems: readonly string[] };

/** Reads `drover.config.yml`. Every problem is named with its place, so that one round of repairs is enough. */
export function readOperatorConfig(text: string): ReadConfig {
  const read = parseConfig(OperatorConfig, text);
  if (read.kind === "wrong") return read;
  const problems = [...read.value.forges.flatMap(unheardProblem), ...modelProblems(read.value)];
  return problems.length > 0 ? { kind: "wrong", problems } : { kind: "read", config: read.value };
}

/** A server has to be told where to look; a run of a CI is told by its command line. */
function unheardProblem(forge: ForgeConfig, index: number): readonly string[] {
  if (forge.kind !== "gitea" || forge.webhookSecrets.length + forge.repositories.length > 0) return [];
  return [`forges.${index}: expected \`webhookSecrets\` or \`repositories\`: nothing else says where to look`];
}
