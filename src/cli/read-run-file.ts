import { type RunConfig, readRunConfig } from "#app/config/run-config.ts";
import { readNamedFile, type Terminal, UsageError } from "#cli/terminal.ts";

export async function readRunFile(
  path: string | undefined,
  terminal: Pick<Terminal, "readFile">,
): Promise<RunConfig | null> {
  if (path === undefined || path === "") return null;
  const read = readRunConfig(await readNamedFile(terminal, path, { what: "the configuration " }));
  if (read.kind === "read") return read.config;
  throw new UsageError(`${path} is wrong:\n${read.problems.map((problem) => `  ${problem}`).join("\n")}`);
}
