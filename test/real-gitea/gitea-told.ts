import { inject } from "vitest";
import * as z from "zod";
import { knock } from "#harness/door.ts";

/** What a test has to know of a server that runs. */
export const GiteaTold = z.object({
  version: z.string(),
  url: z.string(),
  /** Of the account `overseer`, which may do everything everywhere. */
  adminToken: z.string(),
  /** Its database, repositories and log are in here. */
  folder: z.string(),
});
export type GiteaTold = z.infer<typeof GiteaTold>;

/** The server of this version, which the first to ask starts. */
export async function findServer(version: string): Promise<GiteaTold> {
  const port = inject("giteaDoors")[version];
  if (port === undefined) throw new Error(`Gitea ${version} is not built on this machine`);
  return GiteaTold.parse(await knock(port));
}
