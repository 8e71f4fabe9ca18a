/** Where a command reads and writes; tests give their own. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** `-` is standard input. */
  readonly readFile: (path: string) => Promise<string>;
  readonly sleep: (ms: number) => Promise<void>;
  readonly isInteractive: boolean;
  /** Undefined where nobody knows: a file, a pipe. */
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
