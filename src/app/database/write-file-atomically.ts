import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { lstat, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { finished } from "node:stream/promises";
import { DumpError } from "#database/dump-format.ts";
import { fsyncFolderSync } from "#database/embedded/fsync-folder.ts";

/** Writes a file that must not exist yet: under a temporary name first, so that a file with this name is whole. */
export async function writeFileAtomically<Result>(
  file: string,
  fill: (write: (line: string) => Promise<void>) => Promise<Result>,
): Promise<Result> {
  await requireFree(file);
  const draft = `${file}.${process.pid}.part`;
  try {
    const result = await writeDraft(draft, fill);
    await requireFree(file);
    await rename(draft, file);
    fsyncFolderSync(dirname(file));
    return result;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function requireFree(file: string): Promise<void> {
  const found = await lstat(file).catch(() => undefined);
  if (found !== undefined) throw new DumpError(`${file} is there already (EEXIST): name another file, or remove it`);
}

async function writeDraft<Result>(
  draft: string,
  fill: (write: (line: string) => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const output = createWriteStream(draft, { flags: "w", mode: 0o600, flush: true });
  const ended = finished(output);
  // `ended` reports an error that no caller waits for.
  ended.catch(() => undefined);
  try {
    const result = await fill(async (line) => {
      if (!output.write(line)) await Promise.race([once(output, "drain"), ended]);
    });
    output.end();
    await ended;
    return result;
  } catch (error) {
    output.destroy();
    await ended.catch(() => undefined);
    throw error;
  }
}
