import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { keepOutOfGit } from "#app/serve/data-folder.ts";
import { hasCode } from "#core/error-code.ts";

const ownerOnly = { folder: 0o700, file: 0o600 } as const;

export async function writeOwnerOnlyFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: ownerOnly.folder });
  await keepOutOfGit(dirname(path));
  await writeFile(path, text, { mode: ownerOnly.file, flush: true });
  // An existing file keeps its mode when it is overwritten.
  await chmod(path, ownerOnly.file);
}

export async function ensureOwnerOnlyFile(path: string, make: () => string): Promise<string> {
  const there = await findText(path);
  if (there !== undefined && there.trim() !== "") return there.trim();
  const made = make();
  await writeOwnerOnlyFile(path, `${made}\n`);
  return made;
}

async function findText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}
