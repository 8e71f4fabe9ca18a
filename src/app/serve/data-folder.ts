import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { StartError } from "#app/serve/block-secret-file.ts";

/** Where a server keeps what it has to keep. */
export interface DataFolder {
  readonly root: string;
  /** The embedded database. */
  readonly database: string;
  /** Mirrors and workspaces of git. */
  readonly git: string;
  /** How the command line finds the server that runs on this folder. */
  readonly serverFile: string;
}

const ownerOnly = 0o700;

export async function openDataFolder(folder: string): Promise<DataFolder> {
  try {
    await mkdir(folder, { recursive: true, mode: ownerOnly });
    const root = await realpath(folder);
    return {
      root,
      database: join(root, "database"),
      git: join(root, "git"),
      serverFile: join(root, "server.json"),
    };
  } catch (error) {
    const why = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new StartError(`the data folder ${folder} cannot be used (${why}): name another one with --data`, {
      cause: error,
    });
  }
}
