import { rm } from "node:fs/promises";

/**
 * Removes what a server worked in that may have been killed. Its git is a process group of its own, which goes on for
 * moments and makes files in folders that have just been emptied; so it is tried again, for some twenty seconds in all.
 */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}
