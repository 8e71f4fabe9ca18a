import type { StartRunOptions } from "#app/run/start-run.ts";
import { isStartError } from "#app/start-error.ts";
import { codeOrText } from "#core/error-code.ts";

/** Where a command reads and writes; tests give their own. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** `-` is standard input. */
  readonly readFile: (path: string) => Promise<string>;
  readonly sleep: (ms: number) => Promise<void>;
  /** By which a run waits; that of the machine, unless told otherwise. */
  readonly clock?: StartRunOptions["clock"];
  /** The way out of the process to models; that of the environment, unless told otherwise. */
  readonly fetch?: StartRunOptions["fetch"];
  readonly isInteractive: boolean;
  /** Undefined if it is unknown: a file, a pipe. */
  readonly columns: number | undefined;
  readonly hasColours: boolean;
  /** Where programs are looked for, as in PATH. */
  readonly searchPath: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A wrong call or wrong input: told in one line, exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** How the composition says that the call cannot be carried out; everything else is a bug and stays what it is. */
export function toUsageError(error: unknown, isTold = isStartError): unknown {
  return isTold(error) ? new UsageError(error.message, { cause: error }) : error;
}

export async function readNamedFile(
  { readFile }: Pick<Terminal, "readFile">,
  path: string,
  { what = "", advice = "" } = {},
): Promise<string> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new UsageError(`${what}${path} cannot be read (${codeOrText(error)}).${advice}`, { cause: error });
  }
}
