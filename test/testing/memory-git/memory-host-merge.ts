import { type HeadSha } from "#core/model/ids.ts";
import { type BytePath, foldersAbove } from "#git/byte-path.ts";
import { type Tree, type TreeFile } from "#git/folder-source.ts";
import { type FileMode } from "#ports/git.ts";
import { diffLines, type LineChange, linesOf } from "#testing/memory-git/line-diff.ts";
import { bestCommonAncestors } from "#testing/memory-git/memory-history.ts";
import { type MemoryObjects, storeFile } from "#testing/memory-git/memory-hub.ts";

/** The files of a merge of two commits; undefined where people have to decide, or where the two have nothing in common. */
export function mergeMemory(
  objects: MemoryObjects,
  pair: { readonly base: HeadSha; readonly head: HeadSha },
): Tree | undefined {
  const origin = findOrigin(objects, bestCommonAncestors(objects, pair));
  return (
    origin && mergeTrees(objects, { origin, ours: treeOf(objects, pair.base), theirs: treeOf(objects, pair.head) })
  );
}

/** After criss-cross merges there are several origins, which are merged first. */
function findOrigin(objects: MemoryObjects, ancestors: readonly HeadSha[]): Tree | undefined {
  const [newest, ...others] = ancestors;
  if (newest === undefined || others.length === 0) return newest && treeOf(objects, newest);
  const between = findOrigin(objects, commonToAll(objects, ancestors));
  if (between === undefined) return undefined;
  return others.reduce<Tree | undefined>(
    (ours, other) => ours && mergeTrees(objects, { origin: between, ours, theirs: treeOf(objects, other) }),
    treeOf(objects, newest),
  );
}

function commonToAll(objects: MemoryObjects, [first, second]: readonly HeadSha[]): readonly HeadSha[] {
  if (first === undefined || second === undefined) return [];
  return bestCommonAncestors(objects, { base: first, head: second });
}

interface Versions<Version> {
  readonly origin: Version;
  readonly ours: Version;
  readonly theirs: Version;
}

function mergeTrees(objects: MemoryObjects, trees: Versions<Tree>): Tree | undefined {
  const merged = new Map<BytePath, TreeFile>();
  for (const path of new Set([...trees.ours.keys(), ...trees.theirs.keys()])) {
    const [origin, ours, theirs] = [trees.origin.get(path), trees.ours.get(path), trees.theirs.get(path)];
    const file = mergeFile(objects, { origin, ours, theirs });
    if (file === "conflict") return undefined;
    if (file !== undefined) merged.set(path, file);
  }
  const isFolderAndFile = [...merged.keys()].some((path) => foldersAbove(path).some((folder) => merged.has(folder)));
  return isFolderAndFile ? undefined : merged;
}

function mergeFile(
  objects: MemoryObjects,
  { origin, ours, theirs }: Versions<TreeFile | undefined>,
): TreeFile | undefined | "conflict" {
  if (isSame(ours, theirs) || isSame(origin, theirs)) return ours;
  if (isSame(origin, ours)) return theirs;
  if (origin === undefined || ours === undefined || theirs === undefined) return "conflict";
  const mode = mergeMode({ origin: origin.mode, ours: ours.mode, theirs: theirs.mode });
  const content = mergeContent(objects, { origin, ours, theirs });
  if (mode === undefined || content === undefined) return "conflict";
  return { ...content, mode };
}

function isSame(left: TreeFile | undefined, right: TreeFile | undefined): boolean {
  return left?.id === right?.id && left?.mode === right?.mode;
}

/** Only whether a file can be run is merged; what became a link, or was none, is for people. */
function mergeMode({ origin, ours, theirs }: Versions<FileMode>): FileMode | undefined {
  if (![origin, ours, theirs].every((mode) => mode.startsWith("100"))) return undefined;
  return ours === origin ? theirs : ours;
}

function mergeContent(objects: MemoryObjects, { origin, ours, theirs }: Versions<TreeFile>): TreeFile | undefined {
  if (ours.id === theirs.id || origin.id === theirs.id) return ours;
  if (origin.id === ours.id) return theirs;
  const texts = { origin: textOf(objects, origin), ours: textOf(objects, ours), theirs: textOf(objects, theirs) };
  if (Object.values(texts).some(isBinary)) return undefined;
  const merged = mergeLines(texts);
  return merged === undefined
    ? undefined
    : storeFile(objects, { mode: ours.mode, content: Buffer.from(merged, "latin1") });
}

/** One character per byte, so that no encoding has a say. */
function textOf({ blobs }: MemoryObjects, { id }: TreeFile): string {
  return Buffer.from(blobs.get(id) ?? []).toString("latin1");
}

/** Git looks for a NUL at the beginning, too. */
function isBinary(content: string): boolean {
  return content.slice(0, 8000).includes("\0");
}

function treeOf({ commits, trees }: MemoryObjects, commit: HeadSha): Tree {
  const tree = commits.get(commit)?.tree;
  return (tree === undefined ? undefined : trees.get(tree)) ?? new Map();
}

/**
 * What both sides made of a text; undefined where they disagree. As with git, changes that touch each other are a
 * disagreement, unless both sides ended up with the same lines.
 */
export function mergeLines({
  origin,
  ours,
  theirs,
}: Readonly<Record<"origin" | "ours" | "theirs", string>>): string | undefined {
  const lines = linesOf(origin);
  const sides = [sideOf(lines, ours), sideOf(lines, theirs)] as const;
  const merged: string[] = [];
  let at = 0;
  for (const stretch of joinTouching([...sides[0].changes, ...sides[1].changes])) {
    const [first, second] = sides.map((side) => (hasChange(side, stretch) ? contentOf(side, stretch) : undefined));
    if (first !== undefined && second !== undefined && first !== second) return undefined;
    merged.push(...lines.slice(at, stretch.start), first ?? second ?? "");
    at = stretch.end;
  }
  return [...merged, ...lines.slice(at)].join("");
}

interface Side {
  readonly lines: readonly string[];
  readonly changes: readonly LineChange[];
}

/** Lines of the origin; the end is exclusive, and the same as the start where something was put in between. */
interface Stretch {
  readonly start: number;
  readonly end: number;
}

function sideOf(origin: readonly string[], text: string): Side {
  const lines = linesOf(text);
  return { lines, changes: diffLines(origin, lines) };
}

function joinTouching(changes: readonly LineChange[]): readonly Stretch[] {
  const joined: Stretch[] = [];
  for (const { oldStart: start, oldEnd: end } of changes.toSorted((left, right) => left.oldStart - right.oldStart)) {
    const last = joined.at(-1);
    if (last === undefined || start > last.end) joined.push({ start, end });
    else joined[joined.length - 1] = { start: last.start, end: Math.max(last.end, end) };
  }
  return joined;
}

function hasChange({ changes }: Side, { start, end }: Stretch): boolean {
  return changes.some(({ oldStart, oldEnd }) => oldStart >= start && oldEnd <= end);
}

/** What a side has in the place of a stretch. */
function contentOf({ lines, changes }: Side, { start, end }: Stretch): string {
  return lines.slice(start + shiftAt(changes, start - 1), end + shiftAt(changes, end)).join("");
}

/** How much longer a side has become by the changes that end at or before a line. */
function shiftAt(changes: readonly LineChange[], line: number): number {
  let shift = 0;
  for (const { oldStart, oldEnd, newStart, newEnd } of changes) {
    if (oldEnd <= line) shift += newEnd - newStart - (oldEnd - oldStart);
  }
  return shift;
}
