import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { makeEmbeddedFolder } from "#harness/embedded-template.ts";

/** A data folder with a new embedded database in it: to make one takes most of the time of a first start. */
export async function layOutData(dataFolder: string): Promise<void> {
  const { folder } = await makeEmbeddedFolder();
  await mkdir(dataFolder, { recursive: true });
  await rename(folder, join(dataFolder, "database"));
}
