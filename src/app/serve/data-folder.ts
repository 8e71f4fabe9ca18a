import { access, mkdir, readdir, realpath, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { StartError } from "#app/start-error.ts";
import { codeOrText, hasCode } from "#core/error-code.ts";

export interface DataFolder {
  readonly root: string;
  readonly database: string;
  readonly git: string;
  readonly serverFile: string;
}

const ownerOnly = 0o700;

export async function openDataFolder(folder: string): Promise<DataFolder> {
  try {
    await mkdir(folder, { recursive: true, mode: ownerOnly });
    const root = await realpath(folder);
    await refuseShared(root);
    await keepOutOfGit(root);
    return {
      root,
      database: join(root, "database"),
      git: join(root, "git"),
      serverFile: join(root, "server.json"),
    };
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(
      `the data folder ${folder} cannot be used (${codeOrText(error)}): name another one with --data`,
      {
        cause: error,
      },
    );
  }
}

/** In a checkout, `git add .` would publish the secrets of the folder. The root of a checkout is left alone. */
export async function keepOutOfGit(root: string): Promise<void> {
  if ((await readdir(root)).includes(".git")) return;
  try {
    await writeFile(join(root, ".gitignore"), "*\n", { flag: "wx", mode: 0o600 });
  } catch (error) {
    const isThere = hasCode(error, "EEXIST");
    if (!isThere) throw error;
  }
}

export async function requireDatabase(folder: string): Promise<void> {
  try {
    // A server on PostgreSQL has the folder around it too, for its lock.
    await access(join(folder, "database", "engine"));
  } catch (error) {
    throw new StartError(`there is no database of Drover in ${folder}: --data names the folder of the server`, {
      cause: error,
    });
  }
}

const othersWrite = 0o022;

/** A user who may write there could replace Drover's database, secret or git configuration. */
async function refuseShared(root: string): Promise<void> {
  const uid = process.getuid?.();
  // Windows has no numeric users.
  if (uid === undefined) return;
  const found = await stat(root);
  const other = "or name another folder with --data: Drover makes it if it is not there";
  // The administrator of the machine may do everything anyway.
  if (found.uid !== uid && found.uid !== 0) {
    throw new StartError(
      `the data folder ${root} belongs to another user (${found.uid}, and Drover runs as ${uid}), who could change ` +
        `what is in it: give it to this user (chown ${uid} ${root}), ${other}`,
    );
  }
  if ((found.mode & othersWrite) !== 0) {
    const mode = (found.mode & 0o777).toString(8);
    throw new StartError(
      `others may write to the data folder ${root} (its mode is ${mode}): take that away (chmod go-w ${root}), ${other}`,
    );
  }
}
