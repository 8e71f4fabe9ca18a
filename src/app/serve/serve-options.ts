import type { OperatorConfig } from "#config/operator-config.ts";

export interface ServeOptions {
  readonly host: string;
  readonly port: number;
  readonly dataFolder: string;
  /** Undefined or empty: the embedded database in the data folder. */
  readonly databaseUrl: string | undefined;
  readonly config: OperatorConfig;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly readFile: (path: string) => Promise<string>;
  readonly searchPath: string;
  readonly writeLog: (line: string) => void;
  /** Ends the process as failed, where going on would do harm or waiting does not help. */
  readonly endNow: (why: string) => void;
}
