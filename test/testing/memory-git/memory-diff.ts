import { compareText } from "#core/compare-text.ts";
import { type BytePath } from "#git/byte-path.ts";
import { type Tree, type TreeFile } from "#git/folder-source.ts";
import { comparedBytesMax } from "#git/git-limits.ts";
import { diffLines, type LineChange, linesOf } from "#testing/memory-git/line-diff.ts";
import { type MemoryObjects } from "#testing/memory-git/memory-hub.ts";

/** A name as git writes it in a diff: in quotes if there is a byte in it that is not plain ASCII. */
function quoteName(name: BytePath): string {
  const escaped = name.replaceAll(/[^\x20-\x7e]|["\\]/g, escapeByte);
  return escaped === name ? name : `"${escaped}"`;
}

function escapeByte(character: string): string {
  return escapes.get(character) ?? `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`;
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ["\\", "\\\\"],
  ["\u0007", "\\a"],
  ["\b", "\\b"],
  ["\t", "\\t"],
  ["\n", "\\n"],
  ["\v", "\\v"],
  ["\f", "\\f"],
  ["\r", "\\r"],
]);

const contextLines = 3;

/** The hunks of a text that changed, with their headers; empty where nothing did. */
function hunkText(older: string, newer: string): string {
  const [oldLines, newLines] = [linesOf(older), linesOf(newer)];
  return groupChanges(diffLines(oldLines, newLines))
    .map((group) => hunkOf(group, oldLines, newLines))
    .join("");
}

/** Changes whose context would touch share a hunk. */
function groupChanges(changes: readonly LineChange[]): readonly (readonly LineChange[])[] {
  const groups: LineChange[][] = [];
  for (const change of changes) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group !== undefined && last !== undefined && change.oldStart - last.oldEnd <= 2 * contextLines) {
      group.push(change);
    } else groups.push([change]);
  }
  return groups;
}

function hunkOf(group: readonly LineChange[], oldLines: readonly string[], newLines: readonly string[]): string {
  const [first, last] = [group[0], group.at(-1)];
  if (first === undefined || last === undefined) return "";
  const before = Math.min(contextLines, first.oldStart);
  const after = Math.min(contextLines, oldLines.length - last.oldEnd);
  const [oldFrom, newFrom] = [first.oldStart - before, first.newStart - before];
  const body: string[] = [];
  let at = oldFrom;
  for (const change of group) {
    body.push(...marked(" ", oldLines.slice(at, change.oldStart)));
    body.push(...marked("-", oldLines.slice(change.oldStart, change.oldEnd)));
    body.push(...marked("+", newLines.slice(change.newStart, change.newEnd)));
    at = change.oldEnd;
  }
  body.push(...marked(" ", oldLines.slice(at, at + after)));
  const oldRange = rangeOf(oldFrom, last.oldEnd + after);
  return `@@ -${oldRange} +${rangeOf(newFrom, last.newEnd + after)} @@\n${body.join("")}`;
}

function marked(mark: string, lines: readonly string[]): readonly string[] {
  return lines.map((line) => `${mark}${line}${line.endsWith("\n") ? "" : "\n\\ No newline at end of file\n"}`);
}

/** An empty range is named by the line before it. */
function rangeOf(from: number, end: number): string {
  const count = end - from;
  const start = count === 0 ? from : from + 1;
  return count === 1 ? String(start) : `${start},${count}`;
}

interface Side {
  readonly path: BytePath;
  readonly file: TreeFile;
}

interface FilePair {
  readonly before: Side | undefined;
  readonly now: Side | undefined;
}

/**
 * The difference of two trees in git's own format. It shows the same files and leads to the same contents as git's,
 * but not byte for byte. If several diffs are right, git has its own choice. Of renames this finds only files that
 * moved without a change.
 */
export function diffTrees(objects: MemoryObjects, before: Tree, now: Tree): Uint8Array {
  const pairs = findRenames(findPairs(before, now));
  // Names and contents have one character per byte until here.
  return new Uint8Array(Buffer.from(pairs.map((pair) => pairText(objects, pair)).join(""), "latin1"));
}

function findPairs(before: Tree, now: Tree): readonly FilePair[] {
  const paths = [...new Set([...before.keys(), ...now.keys()])].sort(compareText);
  return paths.flatMap((path): readonly FilePair[] => {
    const [old, fresh] = [before.get(path), now.get(path)];
    if (old?.id === fresh?.id && old?.mode === fresh?.mode) return [];
    const [left, right] = [old && { path, file: old }, fresh && { path, file: fresh }];
    // A file that became a link is one that went and one that came.
    const isRetyped = left !== undefined && right !== undefined && typeOf(left) !== typeOf(right);
    if (!isRetyped) return [{ before: left, now: right }];
    return [
      { before: left, now: undefined },
      { before: undefined, now: right },
    ];
  });
}

function typeOf({ file }: Side): string {
  return file.mode.slice(0, 3);
}

function findRenames(pairs: readonly FilePair[]): readonly FilePair[] {
  const gone = pairs.flatMap((pair) => (pair.now === undefined && pair.before !== undefined ? [pair.before] : []));
  const used = new Set<Side>();
  const paired = pairs.map((pair) => {
    if (pair.before !== undefined || pair.now === undefined) return pair;
    const { now } = pair;
    const like = gone.filter((side) => !used.has(side) && side.file.id === now.file.id && typeOf(side) === typeOf(now));
    const source = like.find(({ path }) => nameOf(path) === nameOf(now.path)) ?? like[0];
    if (source !== undefined) used.add(source);
    return { before: source, now };
  });
  return paired.filter(({ before, now }) => now !== undefined || before === undefined || !used.has(before));
}

function nameOf(path: BytePath): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function pairText(objects: MemoryObjects, { before, now }: FilePair): string {
  const [oldName, newName] = [before?.path ?? now?.path ?? "", now?.path ?? before?.path ?? ""];
  const head = [`diff --git ${quoteName(`a/${oldName}`)} ${quoteName(`b/${newName}`)}`, ...modeLines(before, now)];
  if (oldName !== newName) {
    head.push("similarity index 100%", `rename from ${quoteName(oldName)}`, `rename to ${quoteName(newName)}`);
  }
  if (before?.file.id === now?.file.id) return `${head.join("\n")}\n`;
  const isSameMode = before !== undefined && before.file.mode === now?.file.mode;
  const ids = `${before?.file.id ?? "0".repeat(40)}..${now?.file.id ?? "0".repeat(40)}`;
  head.push(`index ${ids}${isSameMode ? ` ${before.file.mode}` : ""}`);
  const labels = {
    old: before === undefined ? "/dev/null" : quoteName(`a/${oldName}`),
    new: now === undefined ? "/dev/null" : quoteName(`b/${newName}`),
  };
  const [oldText, newText] = [contentOf(objects, before), contentOf(objects, now)];
  if (isBinary(oldText) || isBinary(newText)) {
    return `${head.join("\n")}\nBinary files ${labels.old} and ${labels.new} differ\n`;
  }
  const hunks = hunkText(oldText, newText);
  if (hunks === "") return `${head.join("\n")}\n`;
  return `${head.join("\n")}\n--- ${labels.old}${tabAfter(labels.old)}\n+++ ${labels.new}${tabAfter(labels.new)}\n${hunks}`;
}

/** A tab ends a name with spaces, so that the rest is not taken for a date. */
function tabAfter(label: string): string {
  return label.includes(" ") ? "\t" : "";
}

function modeLines(before: Side | undefined, now: Side | undefined): readonly string[] {
  if (before === undefined) return [`new file mode ${now?.file.mode ?? ""}`];
  if (now === undefined) return [`deleted file mode ${before.file.mode}`];
  if (before.file.mode === now.file.mode) return [];
  return [`old mode ${before.file.mode}`, `new mode ${now.file.mode}`];
}

function contentOf(objects: MemoryObjects, side: Side | undefined): string {
  if (side === undefined) return "";
  if (side.file.mode === "160000") return `Subproject commit ${side.file.id}\n`;
  return Buffer.from(objects.blobs.get(side.file.id) ?? []).toString("latin1");
}

/** Git looks for a NUL at the beginning, too, and does not look at all into what is too large. */
function isBinary(content: string): boolean {
  return content.length > comparedBytesMax || content.slice(0, 8000).includes("\0");
}
