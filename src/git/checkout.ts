import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { defaultGitLimits } from "#git/git-limits.ts";
import { checkGitVersion } from "#git/git-version.ts";
import { createRunGit, failure, type GitRan, type GitRun, mustRun, type RunGit } from "#git/run-git.ts";

function userEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(userVariables.map((name) => [name, env[name]]));
}

const userVariables = [
  "HOME",
  "XDG_CONFIG_HOME",
  "GIT_CONFIG_NOSYSTEM",
  "GIT_CONFIG_SYSTEM",
  "GIT_CONFIG_GLOBAL",
  "GIT_CEILING_DIRECTORIES",
  "GIT_DISCOVERY_ACROSS_FILESYSTEM",
  "GIT_DIR",
  "GIT_WORK_TREE",
  "GIT_COMMON_DIR",
  "GIT_INDEX_FILE",
];

type CheckoutConfig = readonly (readonly [string, string])[];

/** Settings by which the user reads the working tree. The rest can start programs, filters among it. */
async function readCheckoutConfig(
  runGit: RunGit,
  place: {
    readonly gitDir: string;
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly signal: AbortSignal;
  },
): Promise<CheckoutConfig> {
  const { stdout } = await mustRun(runGit, {
    args: ["config", "--list", "-z", "--show-scope"],
    gitDir: place.gitDir,
    environment: userEnvironment(place.env),
    signal: place.signal,
  });
  const values = readValues(stdout.toString());
  const kept = keptKeys.flatMap((key) => {
    const value = values.get(key);
    return value === undefined ? [] : [[key, value] as const];
  });
  return [...kept, ...excludesFile(values, place.env), ...fixed, ...[...values.keys()].flatMap(withoutFilter)];
}

/** How files lie on this disk: line ends, modes, links, capitals. */
const keptKeys = [
  "core.autocrlf",
  "core.eol",
  "core.filemode",
  "core.symlinks",
  "core.ignorecase",
  "core.precomposeunicode",
];

/** Objects live for seconds, and our index must not leave parts in the repository. */
const fixed: CheckoutConfig = [
  ["core.fsync", "none"],
  ["core.looseCompression", "0"],
  ["core.splitIndex", "false"],
];

/** The last one of a key counts. What we set ourselves has the scope `command`. */
function readValues(output: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  const parts = output.split("\0");
  for (let index = 0; index + 1 < parts.length; index += 2) {
    const entry = parts[index + 1] ?? "";
    const border = entry.indexOf("\n");
    if (parts[index] === "command") continue;
    // A key without a value means true.
    values.set(border === -1 ? entry : entry.slice(0, border), border === -1 ? "true" : entry.slice(border + 1));
  }
  return values;
}

/** What the user ignores everywhere is no part of the change. */
function excludesFile(
  values: ReadonlyMap<string, string>,
  env: Readonly<Record<string, string | undefined>>,
): CheckoutConfig {
  const { HOME: home = "", XDG_CONFIG_HOME: configHome = "" } = env;
  const usual = configHome === "" ? join(home, ".config", "git", "ignore") : join(configHome, "git", "ignore");
  const said = values.get("core.excludesfile")?.replace(/^~(?=\/)/, home) ?? usual;
  return isAbsolute(said) ? [["core.excludesFile", said]] : [];
}

function withoutFilter(key: string): CheckoutConfig {
  const name = /^filter\.(.+)\.(?:clean|process|smudge|required)$/s.exec(key)?.[1];
  if (name === undefined) return [];
  return [
    [`filter.${name}.clean`, ""],
    [`filter.${name}.smudge`, ""],
    [`filter.${name}.process`, ""],
    [`filter.${name}.required`, "false"],
  ];
}

/** Nothing in the checkout changes: new objects go to a folder that is removed. */
export interface Checkout {
  readonly gitDir: string;
  readonly top: string | null;
  readonly isShallow: boolean;
  readonly scratch: string;
  readonly indexFile: string;
  /** For objects: without a working tree, so no attributes of it change what is shown. */
  readonly git: RunGit;
  /** With the working tree, and an index of our own. */
  readonly treeGit: (index: string) => RunGit;
}

export interface OpenCheckoutOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly searchPath: string;
  readonly signal: AbortSignal;
}

export type CheckoutOutcome<Result> =
  | { readonly kind: "done"; readonly result: Result }
  | { readonly kind: "no_checkout"; readonly why: string };

export async function withCheckout<Result>(
  options: OpenCheckoutOptions,
  work: (checkout: Checkout) => Promise<Result>,
): Promise<CheckoutOutcome<Result>> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "drover-review-")));
  try {
    const checkout = await openCheckout(options, folder);
    return "why" in checkout ? checkout : { kind: "done", result: await work(checkout) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function openCheckout(options: OpenCheckoutOptions, folder: string): Promise<Checkout | NoCheckout> {
  const [home, objects] = [join(folder, "home"), join(folder, "objects")];
  await mkdir(home, { mode: 0o700 });
  await mkdir(join(objects, "info"), { recursive: true, mode: 0o700 });
  const runGit = createRunGit({ searchPath: options.searchPath, home, limits: defaultGitLimits });
  await checkGitVersion(runGit);
  const found = await discover(runGit, options);
  if ("why" in found) return found;
  const config = await readCheckoutConfig(runGit, { ...options, gitDir: found.gitDir });
  // Git reads the repository's objects from here and writes nothing there.
  await writeFile(join(objects, "info", "alternates"), `${found.objects}\n`);
  const shared = { gitDir: found.gitDir, config, signal: options.signal, objects };
  return {
    gitDir: found.gitDir,
    top: found.top,
    isShallow: found.isShallow,
    scratch: folder,
    indexFile: found.indexFile,
    // Without a working tree git takes attributes from the index, so that is empty too.
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

type NoCheckout = Extract<CheckoutOutcome<unknown>, { readonly kind: "no_checkout" }>;

interface Found {
  readonly gitDir: string;
  readonly objects: string;
  readonly indexFile: string;
  readonly top: string | null;
  readonly isShallow: boolean;
}

/** With the user's own settings: they name trusted folders of others, and a hook names the index in the environment. */
async function discover(runGit: RunGit, { cwd, env, signal }: OpenCheckoutOptions): Promise<Found | NoCheckout> {
  const ask = async (...args: readonly string[]): Promise<GitRan> =>
    await runGit({
      args: ["-C", cwd, "rev-parse", "--path-format=absolute", ...args],
      environment: userEnvironment(env),
      // So that a bare repository gets an answer; it is used by its name alone.
      config: [["safe.bareRepository", "all"]],
      signal,
    });
  const path = async (...args: readonly string[]): Promise<string> => {
    const ran = await ask(...args);
    if (ran.code !== 0) throw failure("failed", { args: ["rev-parse"] }, ran);
    return ran.stdout.toString().replace(/\n$/, "");
  };
  const state = await ask("--is-inside-work-tree", "--is-shallow-repository");
  if (state.code !== 0) return { kind: "no_checkout", why: state.stderr };
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

export async function findCommit({ git }: Checkout, name: string): Promise<string | undefined> {
  // Never taken for an option.
  if (name === "" || name.startsWith("-") || /[\0\n]/.test(name)) return undefined;
  const ran = await git({ args: ["rev-parse", "--verify", "--quiet", `${name}^{commit}`] });
  return ran.code === 0 ? ran.stdout.toString().trim() : undefined;
}

/** Undefined where nothing shows a common history. */
export async function findMergeBase(
  { git }: Checkout,
  commits: readonly [string, string],
): Promise<string | undefined> {
  const ran = await git({ args: ["merge-base", ...commits] });
  return ran.code === 0 ? ran.stdout.toString().split("\n")[0] : undefined;
}

export async function treeOf({ git }: Checkout, commit: string): Promise<string> {
  const { stdout } = await mustRun(git, { args: ["rev-parse", "--verify", `${commit}^{tree}`] });
  return stdout.toString().trim();
}

/** What a repository without commits is compared with. Its name depends on the repository's hash. */
export async function emptyTree({ git }: Checkout): Promise<string> {
  const { stdout } = await mustRun(git, { args: ["hash-object", "-t", "tree", "--stdin"] });
  return stdout.toString().trim();
}
