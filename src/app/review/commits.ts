import type { Checkout } from "#app/review/checkout.ts";
import { StartError } from "#app/start-error.ts";
import { shortSha } from "#core/words/short-sha.ts";
import { mustRun } from "#git/run-git.ts";

/** A commit by its name; undefined if there is none of that name. */
export async function findCommit({ git }: Checkout, name: string): Promise<string | undefined> {
  // An option in the place of a name is never meant.
  if (name === "" || name.startsWith("-") || /[\0\n]/.test(name)) return undefined;
  const ran = await git({ args: ["rev-parse", "--verify", "--quiet", `${name}^{commit}`] });
  return ran.code === 0 ? ran.stdout.toString().trim() : undefined;
}

/** The same, ending with what to do where there is none. */
export async function mustFindCommit(checkout: Checkout, name: string): Promise<string> {
  const commit = await findCommit(checkout, name);
  if (commit !== undefined) return commit;
  const remote = await findCommit(checkout, `origin/${name}`);
  const hint = remote === undefined ? "If it is on a remote, fetch it first." : `Is "origin/${name}" meant?`;
  throw new StartError(`there is no commit "${name}" in this checkout. ${hint}`);
}

/** Where two lines of history parted; undefined where nothing shows that they ever were one. */
export async function findMergeBase(
  { git }: Checkout,
  commits: readonly [string, string],
): Promise<string | undefined> {
  const ran = await git({ args: ["merge-base", ...commits] });
  return ran.code === 0 ? ran.stdout.toString().split("\n")[0] : undefined;
}

export function noMergeBase(
  { isShallow }: Checkout,
  { from, to }: { readonly from: string; readonly to: string },
): StartError {
  const advice = isShallow
    ? "This is a shallow clone: fetch more of the history first (git fetch --unshallow; fetch-depth: 0 in a workflow)."
    : `To compare them as they are, use --range ${from}..${to}.`;
  return new StartError(`"${to}" and "${from}" have no commit in common. ${advice}`);
}

export async function treeOf({ git }: Checkout, commit: string): Promise<string> {
  const { stdout } = await mustRun(git, { args: ["rev-parse", "--verify", `${commit}^{tree}`] });
  return stdout.toString().trim();
}

/** What a repository without commits is compared with. Its name depends on the hash that the repository uses. */
export async function emptyTree({ git }: Checkout): Promise<string> {
  const { stdout } = await mustRun(git, { args: ["hash-object", "-t", "tree", "--stdin"] });
  return stdout.toString().trim();
}

/** A name that already is an id says it all. */
export function named(name: string, commit: string): string {
  return commit.startsWith(name) ? shortSha(commit) : `${name} (${shortSha(commit)})`;
}
