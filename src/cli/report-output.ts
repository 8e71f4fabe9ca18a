import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type Terminal, UsageError } from "#cli/terminal.ts";
import { codeOrText } from "#core/error-code.ts";
import type { TextPage } from "#core/report/text-report.ts";

export interface OutputAsked {
  readonly output?: string | undefined;
  readonly colour: boolean;
  /** The American spelling of `colour`. */
  readonly color: boolean;
}

const columnsMin = 60;
const columnsMax = 120;

export function textPage(asked: OutputAsked, terminal: Pick<Terminal, "env" | "hasColours" | "columns">): TextPage {
  const columns = Math.min(columnsMax, Math.max(columnsMin, terminal.columns ?? columnsMax));
  return { columns, hasColours: hasColours(asked, terminal) };
}

/** The option wins over NO_COLOR, and that over FORCE_COLOR. A file gets no colours. */
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
