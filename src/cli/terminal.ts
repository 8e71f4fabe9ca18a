import type { StartRunOptions } from "#app/run/start-run.ts";
import { codeOrText } from "#core/error-code.ts";

export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly readFile: (path: string) => Promise<string>;
  readonly sleep: (ms: number) => Promise<void>;
  readonly clock?: StartRunOptions["clock"];
  readonly fetch?: StartRunOptions["fetch"];
  readonly isInteractive: boolean;
  readonly columns: number | undefined;
  readonly hasColours: boolean;
  readonly searchPath: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Shown in one line, with exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Everything else is a bug and stays as it is. */
export function toUsageError(error: unknown, names: readonly string[] = ["StartError"]): unknown {
  const isTold = error instanceof Error && names.includes(error.name);
  return isTold ? new UsageError(error.message, { cause: error }) : error;
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
