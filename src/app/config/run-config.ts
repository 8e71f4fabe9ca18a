import type { z } from "zod";
import { operatorConfig } from "#app/config/read-operator-config.ts";
import { modelProblems } from "#config/model-problems.ts";
import { parseConfig } from "#config/parse-config.ts";

/** The forges may be missing: the command line says where the pull is. */
const RunConfig = operatorConfig.partial({ forges: true });
export type RunConfig = z.infer<typeof RunConfig>;

export type ReadRunConfig =
  | { readonly kind: "read"; readonly config: RunConfig }
  | { readonly kind: "wrong"; readonly problems: readonly string[] };

export function readRunConfig(text: string): ReadRunConfig {
  const read = parseConfig(RunConfig, text);
  if (read.kind === "wrong") return read;
  const problems = modelProblems(read.value);
  return problems.length > 0 ? { kind: "wrong", problems } : { kind: "read", config: read.value };
}
