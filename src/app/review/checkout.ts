import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CheckoutConfig, readCheckoutConfig } from "#app/review/checkout-config.ts";
import { userEnvironment } from "#app/review/user-environment.ts";
import { StartError } from "#app/serve/block-secret-file.ts";
import { defaultGitLimits } from "#git/git-limits.ts";
import { checkGitVersion } from "#git/git-version.ts";
import { createRunGit, failure, type GitRan, type GitRun, type RunGit } from "#git/run-git.ts";

/** A git checkout of the user's, read without changing anything in it: new objects go to a folder that is removed. */
export interface Checkout {
  readonly gitDir: string;
  /** The root of the working tree; null in a bare repository. */
  readonly top: string | null;
  readonly isShallow: boolean;
  /** Where copies of the index go. */
  readonly scratch: string;
  readonly indexFile: string;
  /** Commits, trees and blobs: with no working tree in sight, so that no attributes of it change what is shown. */
  readonly git: RunGit;
  /** The working tree and an index of our own, which has to be named. */
  readonly treeGit: (index: string) => RunGit;
}

export interface OpenCheckoutOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly searchPath: string;
  readonly signal: AbortSignal;
}

/** Finds the checkout around a folder and runs a task on it. Nothing is left behind. */
export async function withCheckout<Result>(
  options: OpenCheckoutOptions,
  work: (checkout: Checkout) => Promise<Result>,
): Promise<Result> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "drover-review-")));
  try {
    return await work(await openCheckout(options, folder));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function openCheckout(options: OpenCheckoutOptions, folder: string): Promise<Checkout> {
  const [home, objects] = [join(folder, "home"), join(folder, "objects")];
  await mkdir(home, { mode: 0o700 });
  await mkdir(join(objects, "info"), { recursive: true, mode: 0o700 });
  const runGit = createRunGit({ searchPath: options.searchPath, home, limits: defaultGitLimits });
  await checkGitVersion(runGit);
  const found = await discover(runGit, options);
  const config = await readCheckoutConfig(runGit, { ...options, gitDir: found.gitDir });
  // Git reads what the repository has from here, and writes nothing there.
  await writeFile(join(objects, "info", "alternates"), `${found.objects}\n`);
  const shared = { gitDir: found.gitDir, config, signal: options.signal, objects };
  return {
    gitDir: found.gitDir,
    top: found.top,
    isShallow: found.isShallow,
    scratch: folder,
    indexFile: found.indexFile,
    // Where there is no working tree git looks for attributes in the index, so there is none of those either.
    git: bound(runGit, { ...shared, environment: { GIT_WORK_TREE: home, GIT_INDEX_FILE: join(folder, "no-index") } }),
    treeGit: (index) =>
      bound(runGit, { ...shared, environment: { GIT_WORK_TREE: found.top ?? home, GIT_INDEX_FILE: index } }),
  };
}

interface Bound {
  readonly gitDir: string;
  readonly config: CheckoutConfig;
  readonly objects: string;
  readonly signal: AbortSignal;
  readonly environment: Readonly<Record<string, string>>;
}

function bound(runGit: RunGit, { gitDir, config, objects, signal, environment }: Bound): RunGit {
  return (run: GitRun): Promise<GitRan> =>
    runGit({
      ...run,
      gitDir,
      signal,
      config: [...config, ...(run.config ?? [])],
      environment: { ...environment, GIT_OBJECT_DIRECTORY: objects, ...run.environment },
    });
}

interface Found {
  readonly gitDir: string;
  readonly objects: string;
  readonly indexFile: string;
  readonly top: string | null;
  readonly isShallow: boolean;
}

/**
 * Git itself finds the repository, with the user's own settings: these name trusted folders of others, and a hook names
 * the index in the environment.
 */
async function discover(runGit: RunGit, { cwd, env, signal }: OpenCheckoutOptions): Promise<Found> {
  const ask = async (...args: readonly string[]): Promise<GitRan> =>
    await runGit({
      args: ["-C", cwd, "rev-parse", "--path-format=absolute", ...args],
      environment: userEnvironment(env),
      // A bare repository is recognised, so that we can say what to do; it is used by its name alone.
      config: [["safe.bareRepository", "all"]],
      signal,
    });
  const path = async (...args: readonly string[]): Promise<string> => {
    const ran = await ask(...args);
    if (ran.code !== 0) throw failure("failed", { args: ["rev-parse"] }, ran);
    return ran.stdout.toString().replace(/\n$/, "");
  };
  const state = await ask("--is-inside-work-tree", "--is-shallow-repository");
  if (state.code !== 0) {
    throw new StartError(
      `${cwd} is in no git checkout that can be read (${state.stderr}). Go into one, or review a diff: --diff FILE (- for standard input).`,
    );
  }
  const [isInside, isShallow] = state.stdout.toString().split("\n");
  // One by one, since a path may contain any separator.
  const [gitDir, objects, indexFile, top] = await Promise.all([
    path("--absolute-git-dir"),
    path("--git-path", "objects"),
    path("--git-path", "index"),
    isInside === "true" ? path("--show-toplevel") : null,
  ]);
  return { gitDir, objects, indexFile, top, isShallow: isShallow === "true" };
}
