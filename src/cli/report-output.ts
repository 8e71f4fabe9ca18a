import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type Terminal, UsageError } from "#cli/terminal.ts";
import { codeOrText } from "#core/error-code.ts";
import type { TextPage } from "#core/terminal/styled-text.ts";

/** Where a report goes, as the call says. */
export interface OutputAsked {
  /** A file; standard output where nothing is said, or `-`. */
  readonly output?: string | undefined;
  readonly colour: boolean;
  /** The same, as others spell it. */
  readonly color: boolean;
}

const columnsMin = 60;
const columnsMax = 120;

/** The page that a report for people is set on. */
export function textPage(asked: OutputAsked, terminal: Pick<Terminal, "env" | "hasColours" | "columns">): TextPage {
  const columns = Math.min(columnsMax, Math.max(columnsMin, terminal.columns ?? columnsMax));
  return { columns, hasColours: hasColours(asked, terminal) };
}

/** A file is no terminal, and people's wishes come first: NO_COLOR over FORCE_COLOR, the option over both. */
function hasColours(
  { colour, color, output }: OutputAsked,
  { env, hasColours: isColourful }: Pick<Terminal, "env" | "hasColours">,
): boolean {
  if (!colour || !color || (env["NO_COLOR"] ?? "") !== "") return false;
  const forced = env["FORCE_COLOR"];
  if (forced !== undefined && forced !== "") return forced !== "0" && forced !== "false";
  return isColourful && output === undefined;
}

export async function handReport(
  { output }: Pick<OutputAsked, "output">,
  terminal: Pick<Terminal, "out">,
  { text, cwd }: { readonly text: string; readonly cwd: string },
): Promise<void> {
  if (output === undefined || output === "-") {
    terminal.out(text);
    return;
  }
  try {
    await writeFile(resolve(cwd, output), text);
  } catch (error) {
    throw new UsageError(`${output} cannot be written (${codeOrText(error)}).`, { cause: error });
  }
}
