import type { Checkout } from "#app/review/checkout.ts";
import { findCommit, findMergeBase, named, noMergeBase, treeOf } from "#app/review/commits.ts";
import type { SelectedChange } from "#app/review/picked-change.ts";
import { StartError } from "#app/serve/block-secret-file.ts";

/** What a branch is meant for, most telling first: its own upstream, else what is usually the default branch. */
const candidates = ["@{upstream}", "origin/HEAD", "upstream/HEAD", "origin/main", "origin/master", "main", "master"];

/** What the current branch has and the branch it came from does not. */
export async function branchChange(
  checkout: Checkout,
  { head, tree }: { readonly head: string; readonly tree: string },
): Promise<SelectedChange> {
  const sameAs: string[] = [];
  const unrelated: string[] = [];
  for (const candidate of candidates) {
    const commit = await findCommit(checkout, candidate);
    if (commit === undefined) continue;
    const name = await nameOf(checkout, candidate);
    const mergeBase = await findMergeBase(checkout, [commit, head]);
    if (mergeBase === undefined) unrelated.push(name);
    else if (mergeBase === head) sameAs.push(name);
    else {
      const words = `HEAD since it left ${named(name, mergeBase)}; the working tree is clean`;
      const old = { tree: await treeOf(checkout, mergeBase), commit: mergeBase };
      const baseTree = await treeOf(checkout, commit);
      return { words, old, new: { tree, commit: head }, baseBranch: name, baseTree, leftOut: [] };
    }
  }
  const [known] = sameAs;
  if (known === undefined) throw nothingToCompare(checkout, unrelated);
  const words = `the working tree is clean, and HEAD has no commits beyond ${known}. To review existing commits, use --base REF or --range A..B`;
  return { words, old: { tree, commit: head }, new: { tree, commit: head }, baseBranch: known, leftOut: [] };
}

function nothingToCompare(checkout: Checkout, [unrelated]: readonly string[]): StartError {
  if (unrelated !== undefined) return noMergeBase(checkout, { from: unrelated, to: "HEAD" });
  return new StartError(
    "the working tree is clean, and there is neither an upstream nor a default branch to compare with. Name one: --base REF or --range A..B.",
  );
}

/** `origin/main` instead of `@{upstream}` or `origin/HEAD`. */
async function nameOf({ git }: Checkout, candidate: string): Promise<string> {
  const ran = await git({ args: ["rev-parse", "--abbrev-ref", candidate] });
  const name = ran.stdout.toString().trim();
  return ran.code === 0 && name !== "" ? name : candidate;
}
