import { descriptorOf, forgeTable } from "#app/forge/forge-table.ts";
import type { ForgeConfig } from "#config/forge-config.ts";
import { modelProblems } from "#config/model-problems.ts";
import { type OperatorConfig, operatorConfigOf } from "#config/operator-config.ts";
import { parseConfig } from "#config/parse-config.ts";

export type ReadConfig =
  | { readonly kind: "read"; readonly config: OperatorConfig }
  | { readonly kind: "wrong"; readonly problems: readonly string[] };

export const operatorConfig = operatorConfigOf([...forgeTable.values()].map(({ config }) => config));

/** Names every problem with its place, so that one round of repairs is enough. */
export function readOperatorConfig(text: string): ReadConfig {
  const read = parseConfig(operatorConfig, text);
  if (read.kind === "wrong") return read;
  const problems = [...read.value.forges.flatMap(serverProblems), ...modelProblems(read.value)];
  return problems.length > 0 ? { kind: "wrong", problems } : { kind: "read", config: read.value };
}

function serverProblems(forge: ForgeConfig, index: number): readonly string[] {
  const problem = descriptorOf(forge.kind).findServerProblem?.(forge);
  return problem === undefined ? [] : [`forges.${index}: ${problem}`];
}
