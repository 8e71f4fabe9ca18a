import { modelProblems } from "#config/model-problems.ts";
import { OperatorConfig } from "#config/operator-config.ts";
import { parseConfig } from "#config/parse-config.ts";

export type ReadConfig =
  | { readonly kind: "read"; readonly config: OperatorConfig }
  | { readonly kind: "wrong"; readonly problems: readonly string[] };

/** Reads `drover.config.yml`. Every problem is named with its place, so that one round of repairs is enough. */
export function readOperatorConfig(text: string): ReadConfig {
  const read = parseConfig(OperatorConfig, text);
  if (read.kind === "wrong") return read;
  const problems = modelProblems(read.value);
  return problems.length > 0 ? { kind: "wrong", problems } : { kind: "read", config: read.value };
}
