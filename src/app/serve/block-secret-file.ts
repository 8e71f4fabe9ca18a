import { randomBytes } from "node:crypto";
import { chmod, link, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { StartError } from "#app/start-error.ts";
import { type BlockSecret, makeBlockSecret } from "#core/blocks/block-secret.ts";
import { hasCode } from "#core/error-code.ts";
import { fsyncFolderSync } from "#database/embedded/fsync-folder.ts";

const secretBytes = 32;
const fileName = "secret";
export const secretVariable = "DROVER_SECRET";

/** Not in the database: with that lost, only the signed notes are left. Replicas share it by the environment. */
export async function findBlockSecret(options: {
  readonly folder: string;
  readonly given: string | undefined;
  readonly isShared: boolean;
  readonly onRead?: (secret: { readonly name: string; readonly value: string }) => void;
}): Promise<BlockSecret> {
  const { folder, given, isShared, onRead } = options;
  if (given !== undefined && given !== "") {
    onRead?.({ name: secretVariable, value: given });
    return makeBlockSecret(readHex(given, secretVariable));
  }
  if (isShared) {
    throw new StartError(
      `set ${secretVariable} to the same 64 hexadecimal digits on all replicas (make them once: openssl rand -hex 32), and keep them: without them Drover does not know its own notes again.`,
    );
  }
  const file = join(folder, fileName);
  await ensureFile(file);
  const value = (await readFile(file, "utf8")).trim();
  onRead?.({ name: file, value });
  return makeBlockSecret(readHex(value, file));
}

/** Written completely to a second file and then linked: no reader sees half of it, and the first one stays. */
async function ensureFile(file: string): Promise<void> {
  const made = `${file}.${process.pid}`;
  await writeFile(made, `${randomBytes(secretBytes).toString("hex")}\n`, { mode: 0o600, flush: true });
  try {
    await link(made, file);
    await chmod(file, 0o600);
    // The name survives a power cut too: another secret at the next start would disown all own notes.
    fsyncFolderSync(dirname(file));
  } catch (error) {
    const isThere = hasCode(error, "EEXIST");
    if (!isThere) throw error;
  } finally {
    await rm(made, { force: true });
  }
}

function readHex(text: string, where: string): Uint8Array {
  if (!/^[0-9a-fA-F]{64,}$/.test(text) || text.length % 2 !== 0) {
    throw new StartError(`${where} must hold at least 64 hexadecimal digits (make them with: openssl rand -hex 32)`);
  }
  return Buffer.from(text, "hex");
}
