import { StartError } from "#app/start-error.ts";
import { never } from "#core/never.ts";
import { shortSha } from "#core/words/short-sha.ts";
import { type Checkout, emptyTree, findCommit, findMergeBase, treeOf } from "#git/checkout.ts";
import { type LeftOut, snapshotIndex, snapshotWorkingTree } from "#git/checkout-snapshot.ts";

/** Commits are null for a side that is none. */
export interface SelectedChange {
  readonly words: string;
  readonly old: { readonly tree: string; readonly commit: string | null };
  readonly new: { readonly tree: string; readonly commit: string | null };
  readonly baseBranch: string;
  /** The tip of the base: its rules hold. An author could branch off from an old commit with weaker rules. */
  readonly baseTree?: string;
  readonly leftOut: LeftOut;
}

const candidates = ["@{upstream}", "origin/HEAD", "upstream/HEAD", "origin/main", "origin/master", "main", "master"];

async function branchChange(
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

async function nameOf({ git }: Checkout, candidate: string): Promise<string> {
  const ran = await git({ args: ["rev-parse", "--abbrev-ref", candidate] });
  const name = ran.stdout.toString().trim();
  return ran.code === 0 && name !== "" ? name : candidate;
}

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
  const staged = await snapshotIndex(checkout);
  if (staged.kind === "unmerged") {
    throw new StartError(
      `${staged.path} is not merged yet, so it cannot be committed. Resolve it and \`git add\` it, or leave --staged out.`,
    );
  }
  const { tree } = staged;
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

async function mustFindCommit(checkout: Checkout, name: string): Promise<string> {
  const commit = await findCommit(checkout, name);
  if (commit !== undefined) return commit;
  const remote = await findCommit(checkout, `origin/${name}`);
  const hint = remote === undefined ? "If it is on a remote, fetch it first." : `Is "origin/${name}" meant?`;
  throw new StartError(`there is no commit "${name}" in this checkout. ${hint}`);
}

function noMergeBase(
  { isShallow }: Checkout,
  { from, to }: { readonly from: string; readonly to: string },
): StartError {
  const advice = isShallow
    ? "This is a shallow clone: fetch more of the history first (git fetch --unshallow; fetch-depth: 0 in a workflow)."
    : `To compare them as they are, use --range ${from}..${to}.`;
  return new StartError(`"${to}" and "${from}" have no commit in common. ${advice}`);
}

function named(name: string, commit: string): string {
  return commit.startsWith(name) ? shortSha(commit) : `${name} (${shortSha(commit)})`;
}
