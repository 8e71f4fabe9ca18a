import { mkdir, mkdtemp, readdir, realpath, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { defaultGitLimits, type GitLimits } from "#git/git-limits.ts";
import { checkGitVersion } from "#git/git-version.ts";
import { createKeyedLock } from "#git/keyed-lock.ts";
import type { MirrorContext, RealGitContext } from "#git/real-git-context.ts";
import { attributes, isThere } from "#git/real-mirror.ts";
import { createRunGit, mustRun } from "#git/run-git.ts";
import { GitError } from "#ports/git.ts";

const partPattern = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$/;

export interface RealHostOptions {
  readonly folder: string;
  readonly searchPath: string;
  readonly limits?: Partial<GitLimits>;
}

export async function prepareHost(options: RealHostOptions): Promise<RealGitContext> {
  const limits = { ...defaultGitLimits, ...options.limits };
  await mkdir(options.folder, { recursive: true, mode: 0o700 });
  const root = await realpath(options.folder);
  // No repository's name begins with a dot.
  const own = join(root, ".host");
  const [scratch, home, worktrees] = [join(own, "scratch"), join(own, "home"), join(own, "worktrees")];
  await rm(own, { recursive: true, force: true });
  for (const folder of [scratch, home, worktrees]) await mkdir(folder, { recursive: true, mode: 0o700 });
  const runGit = createRunGit({ searchPath: options.searchPath, home, limits });
  await checkGitVersion(runGit);
  const memory = { turns: createKeyedLock(), tended: new Set<string>(), known: new Map<string, Set<string>>() };
  return { runGit, limits, protocols: ["file"], mirrors: root, worktrees, scratch, ...memory };
}

export function hostedContext(host: RealGitContext, name: string): MirrorContext {
  return { ...host, key: name, gitDir: join(host.mirrors, `${readHostName(name)}.git`) };
}

export async function openHosted(host: RealGitContext, name: string): Promise<MirrorContext> {
  const context = hostedContext(host, name);
  if (!(await isThere(context.gitDir))) throw new GitError("bad_request", "there is no repository of this name");
  return context;
}

/** Made elsewhere and moved when whole: half a repository is never found. */
export async function createHosted(host: RealGitContext, name: string): Promise<void> {
  const context = hostedContext(host, name);
  await host.turns.run(context.key, async () => {
    if (await isThere(context.gitDir)) throw new GitError("bad_request", "there is a repository of this name");
    await inScratch(host, async (scratch) => {
      const half = join(scratch, "repository.git");
      const format = ["--object-format=sha1", "--initial-branch=main"];
      await mustRun(host.runGit, { args: ["init", "--quiet", "--bare", "--template=", ...format, half] });
      for (const [key, value] of configForOthers) {
        await mustRun(host.runGit, { args: ["config", key, value], gitDir: half });
      }
      await mkdir(join(half, "info"), { recursive: true });
      await writeFile(join(half, "info", "attributes"), attributes);
      await mkdir(dirname(context.gitDir), { recursive: true, mode: 0o700 });
      await rename(half, context.gitDir);
    });
  });
}

/** In a file: git passes no environment to this side of a fetch. */
const configForOthers = [
  ["core.hooksPath", "/dev/null"],
  // Unreferenced commits stay: they may have been a pull's head.
  ["gc.auto", "0"],
  ["receive.autogc", "false"],
] as const;

export async function inScratch<Value>(host: RealGitContext, work: (folder: string) => Promise<Value>): Promise<Value> {
  const folder = await mkdtemp(join(host.scratch, "step-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export async function listHosted(host: RealGitContext): Promise<readonly MirrorContext[]> {
  const top = await readdir(host.mirrors);
  const owners = top.filter((name) => isHostName(name));
  const inside = await Promise.all(
    owners.map(async (owner) => (await readdir(join(host.mirrors, owner))).map((name) => `${owner}/${name}`)),
  );
  const names = [...top, ...inside.flat()].filter((name) => name.endsWith(".git")).map((name) => name.slice(0, -4));
  return names.filter((name) => isHostName(name)).map((name) => hostedContext(host, name));
}

/** `name` or `owner/name`, parts safe as folders and without `.git` at the end: no repository can lie inside another. */
export function readHostName(name: string): string {
  if (!isHostName(name)) throw new GitError("bad_request", "not a name for a hosted repository");
  return name;
}

function isHostName(name: string): boolean {
  const parts = name.split("/");
  return parts.length <= 2 && parts.every((part) => partPattern.test(part) && !/\.(?:git|lock)$/i.test(part));
}
