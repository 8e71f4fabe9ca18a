import type { Checkout } from "#git/checkout.ts";
import { mustRun } from "#git/run-git.ts";

/** A commit by its name; undefined if there is none of that name. */
export async function findCommit({ git }: Checkout, name: string): Promise<string | undefined> {
  // An option in the place of a name is never meant.
  if (name === "" || name.startsWith("-") || /[\0\n]/.test(name)) return undefined;
  const ran = await git({ args: ["rev-parse", "--verify", "--quiet", `${name}^{commit}`] });
  return ran.code === 0 ? ran.stdout.toString().trim() : undefined;
}

/** Where two lines of history parted; undefined where nothing shows that they ever were one. */
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

/** What a repository without commits is compared with. Its name depends on the hash that the repository uses. */
export async function emptyTree({ git }: Checkout): Promise<string> {
  const { stdout } = await mustRun(git, { args: ["hash-object", "-t", "tree", "--stdin"] });
  return stdout.toString().trim();
}
