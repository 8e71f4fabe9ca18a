import type { ForgeSide } from "./forge-side.ts";
import type { NodeCommand } from "./node-process.ts";

/** What every replica of the tests marks its notes with; on one's own folder a server makes its own. */
const sharedSecret = "5e".repeat(32);

export interface ServeCommand {
  readonly script: string;
  readonly side: Pick<ForgeSide, "configFile" | "dataFolder" | "env">;
  readonly port: number;
  /** Null: the embedded engine in the data folder. */
  readonly databaseUrl: string | null;
}

/** `drover serve` on a forge of the tests. */
export function serveCommand({ script, side, port, databaseUrl }: ServeCommand): NodeCommand {
  const { configFile, dataFolder, env } = side;
  const shared = databaseUrl === null ? {} : { DATABASE_URL: databaseUrl, DROVER_SECRET: sharedSecret };
  return {
    script,
    args: ["serve", "--port", String(port), "--data", dataFolder, "--config", configFile],
    env: { ...shared, ...env },
  };
}

/** What it logs once everything of it works. */
export const serveIsReady = /"message":"server is ready"/;
