import { readFile, rm, writeFile } from "node:fs/promises";
import { z } from "zod";

/** Only the owner of the folder may read it: it holds a token. */
export const ServerFile = z.object({ url: z.string(), pid: z.number(), token: z.string() });
export type ServerFile = z.infer<typeof ServerFile>;

export async function writeServerFile(path: string, facts: ServerFile): Promise<void> {
  await writeFile(path, `${JSON.stringify(facts)}\n`, { mode: 0o600 });
}

/** Undefined also for the file of a server that crashed. */
export async function findServerFile(path: string): Promise<ServerFile | undefined> {
  try {
    return ServerFile.parse(JSON.parse(await readFile(path, "utf8")));
  } catch {
    return undefined;
  }
}

export async function removeServerFile(path: string): Promise<void> {
  await rm(path, { force: true });
}
