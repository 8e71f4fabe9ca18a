import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, readlink, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { errorText } from "#core/error-text.ts";

/** What differs from the last commit, each path with its state and content. Two equal pictures mean an untouched tree. */
export type WorkTree =
  | { readonly kind: "seen"; readonly entries: ReadonlyMap<string, string> }
  | { readonly kind: "no_checkout"; readonly why: string }
  | { readonly kind: "unreadable"; readonly why: string };

const run = promisify(execFile);
const statusBytesMax = 64 * 1024 * 1024;

/** Looks at the git work tree under a folder. Committed and unchanged files need no look: a change to them shows as one. */
export async function readWorkTree(folder: string): Promise<WorkTree> {
  // Renames are shown as a deletion and an addition, so that every entry is one path.
  const args = ["status", "--porcelain", "-z", "--no-renames", "--untracked-files=all", "--", "."];
  try {
    const { stdout } = await run("git", args, { cwd: folder, env: gitFreeEnvironment(), maxBuffer: statusBytesMax });
    const { stdout: top } = await run("git", ["rev-parse", "--show-toplevel"], {
      cwd: folder,
      env: gitFreeEnvironment(),
    });
    return { kind: "seen", entries: await readEntries(top.replace(/\n$/, ""), stdout) };
  } catch (error) {
    const why = errorText(error).trim();
    return existsSync(join(folder, ".git")) ? { kind: "unreadable", why } : { kind: "no_checkout", why };
  }
}

/** The paths whose state or content differs between two looks, in order. */
export function changesBetween(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path)).sort();
}

/**
 * The environment without the variables that tie git to one repository. A git hook that calls `npm test` sets them, and
 * a test that makes its own repository would then write into ours.
 */
export function gitFreeEnvironment(): NodeJS.ProcessEnv {
  const tied =
    /^GIT_(DIR|WORK_TREE|INDEX_FILE|PREFIX|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|NAMESPACE)$/;
  const free = Object.entries(process.env).filter(([name]) => !tied.test(name));
  // Looking must not refresh the index: another git process may hold its lock.
  return { ...Object.fromEntries(free), GIT_OPTIONAL_LOCKS: "0" };
}

async function readEntries(top: string, status: string): Promise<ReadonlyMap<string, string>> {
  const entries = new Map<string, string>();
  for (const line of status.split("\0")) {
    if (line !== "") {
      const path = line.slice(3);
      entries.set(path, `${line.slice(0, 2)} ${await contentOf(join(top, path))}`);
    }
  }
  return entries;
}

async function contentOf(path: string): Promise<string> {
  try {
    const mode = (await stat(path)).mode.toString(8);
    return `${mode} ${createHash("sha256")
      .update(await readFile(path))
      .digest("hex")}`;
  } catch {
    // A deleted file, a dangling link or a nested repository has no content to read.
    return await readlink(path).catch(() => "no file");
  }
}
