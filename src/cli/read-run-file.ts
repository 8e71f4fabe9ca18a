import { type Terminal, UsageError } from "#cli/terminal.ts";
import { type RunConfig, readRunConfig } from "#config/run-config.ts";
import { codeOrText } from "#core/error-code.ts";

/** The operator's file for one run; null where none was named. */
export async function readRunFile(
  path: string | undefined,
  terminal: Pick<Terminal, "readFile">,
): Promise<RunConfig | null> {
  if (path === undefined || path === "") return null;
  let text: string;
  try {
    text = await terminal.readFile(path);
  } catch (error) {
    const why = codeOrText(error);
    throw new UsageError(`the configuration ${path} cannot be read (${why}).`, { cause: error });
  }
  const read = readRunConfig(text);
  if (read.kind === "read") return read.config;
  throw new UsageError(`${path} is wrong:\n${read.problems.map((problem) => `  ${problem}`).join("\n")}`);
}
