import { branchChange } from "#app/review/branch-change.ts";
import type { Checkout } from "#app/review/checkout.ts";
import {
  emptyTree,
  findCommit,
  findMergeBase,
  mustFindCommit,
  named,
  noMergeBase,
  treeOf,
} from "#app/review/commits.ts";
import type { SelectedChange } from "#app/review/picked-change.ts";
import { snapshotIndex, snapshotWorkingTree } from "#app/review/snapshot.ts";
import { StartError } from "#app/serve/block-secret-file.ts";
import { never } from "#core/never.ts";

/** The selection of a change in a checkout. */
export type ChangeSelection =
  | { readonly kind: "usual" }
  | { readonly kind: "base"; readonly ref: string }
  | { readonly kind: "staged" }
  | { readonly kind: "range"; readonly from: string; readonly to: string; readonly isFromMergeBase: boolean };

export async function selectChange(checkout: Checkout, wanted: ChangeSelection): Promise<SelectedChange> {
  switch (wanted.kind) {
    case "usual":
      return await usualChange(checkout);
    case "base":
      return await changeSince(checkout, wanted.ref);
    case "staged":
      return await stagedChange(checkout);
    case "range":
      return await rangeChange(checkout, wanted);
    default:
      return never(wanted);
  }
}

/** The working tree, or what the branch has that others do not, where the working tree is as it was committed. */
async function usualChange(checkout: Checkout): Promise<SelectedChange> {
  const head = await findCommit(checkout, "HEAD");
  const old = await sideOf(checkout, head);
  const { tree, leftOut } = await snapshotWorkingTree(checkout, topOf(checkout));
  if (tree === old.tree && leftOut.every(({ why }) => why === "excluded") && head !== undefined) {
    return await branchChange(checkout, { head, tree });
  }
  const words =
    head === undefined
      ? "the working tree, nothing is committed yet"
      : `the working tree against ${named("HEAD", head)}`;
  return { words, old, new: { tree, commit: null }, baseBranch: "HEAD", leftOut };
}

/** All that came since the branch left the base, whether it is committed or not. */
async function changeSince(checkout: Checkout, ref: string): Promise<SelectedChange> {
  const base = await mustFindCommit(checkout, ref);
  const head = await mustFindCommit(checkout, "HEAD");
  const mergeBase = await findMergeBase(checkout, [base, head]);
  if (mergeBase === undefined) throw noMergeBase(checkout, { from: ref, to: "HEAD" });
  const old = { tree: await treeOf(checkout, mergeBase), commit: mergeBase };
  const headTree = await treeOf(checkout, head);
  const since = `since it left ${named(ref, mergeBase)}`;
  const common = { old, baseBranch: ref, baseTree: await treeOf(checkout, base) };
  if (checkout.top === null) {
    return { ...common, words: `HEAD ${since}`, new: { tree: headTree, commit: head }, leftOut: [] };
  }
  const { tree, leftOut } = await snapshotWorkingTree(checkout, checkout.top);
  const isCommitted = tree === headTree;
  const words = `${isCommitted ? named("HEAD", head) : "the working tree"} ${since}`;
  return { ...common, words, new: { tree, commit: isCommitted ? head : null }, leftOut };
}

async function stagedChange(checkout: Checkout): Promise<SelectedChange> {
  topOf(checkout);
  const head = await findCommit(checkout, "HEAD");
  const tree = await snapshotIndex(checkout);
  const words =
    head === undefined ? "what is staged, nothing is committed yet" : `what is staged against ${named("HEAD", head)}`;
  return { words, old: await sideOf(checkout, head), new: { tree, commit: null }, baseBranch: "HEAD", leftOut: [] };
}

async function rangeChange(
  checkout: Checkout,
  { from, to, isFromMergeBase }: Extract<ChangeSelection, { readonly kind: "range" }>,
): Promise<SelectedChange> {
  const [first, last] = [await mustFindCommit(checkout, from), await mustFindCommit(checkout, to)];
  const start = isFromMergeBase ? await findMergeBase(checkout, [first, last]) : first;
  if (start === undefined) throw noMergeBase(checkout, { from, to });
  return {
    words: `${named(to, last)} against ${named(from, start)}`,
    old: { tree: await treeOf(checkout, start), commit: start },
    new: { tree: await treeOf(checkout, last), commit: last },
    baseBranch: from,
    baseTree: await treeOf(checkout, first),
    leftOut: [],
  };
}

function topOf({ top }: Checkout): string {
  if (top !== null) return top;
  throw new StartError(
    "there is no working tree here (a bare repository, or inside of .git). Compare commits: --range A..B.",
  );
}

async function sideOf(checkout: Checkout, commit: string | undefined): Promise<SelectedChange["old"]> {
  if (commit === undefined) return { tree: await emptyTree(checkout), commit: null };
  return { tree: await treeOf(checkout, commit), commit };
}
