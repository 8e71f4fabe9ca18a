import type { DataLocation } from "#app/serve/data-access.ts";
import type { Terminal } from "#cli/terminal.ts";

export const defaultData = "drover-data";

/** `--data` names the embedded database, also where the environment names a server. */
export function dataLocation({ data }: { readonly data?: string | undefined }, { env }: Terminal): DataLocation {
  return { dataFolder: data ?? defaultData, databaseUrl: data === undefined ? env["DATABASE_URL"] : undefined };
}
