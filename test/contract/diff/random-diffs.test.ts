import { describe, expect, it } from "vitest";
import { type Diff, type DiffOptions, parseDiff } from "#core/diff/diff.ts";
import type { DiffFile, FileKind } from "#core/diff/diff-file.ts";
import { type DiffPath, pathBytes } from "#core/diff/diff-path.ts";
import { applyIndex, inflateBlock } from "./apply-index.ts";
import { type Counts, type RawChange, readNumstat, readRaw } from "./git-lists.ts";
import { blobId, type Entry, git, inFolder, makeRepository, type Tree } from "./made-repository.ts";
import { randomTrees } from "./random-trees.ts";

interface Manner {
  /** What decides which changes git sees. */
  readonly argv: readonly string[];
  /** What decides only how the patch is written. */
  readonly shape?: readonly string[];
  readonly config?: readonly string[];
  readonly options?: DiffOptions;
  /** How many folders `git apply` has to take off the names; of more than one it makes a mess with renames. */
  readonly stripped?: 0 | 1 | "more";
}

/** Ways to ask git for the same change. */
const manners: readonly Manner[] = [
  { argv: ["--no-renames"] },
  { argv: ["-M"], shape: ["--full-index"] },
  { argv: ["-C", "--find-copies-harder"] },
  { argv: ["-C"], shape: ["-U0"] },
  { argv: ["-M"], shape: ["-U20"] },
  { argv: ["-M"], shape: ["--function-context"] },
  { argv: ["-C"], shape: ["--binary"] },
  { argv: ["-M", "-R"] },
  { argv: ["-M"], shape: ["--no-prefix"], stripped: 0 },
  { argv: ["-M"], shape: ["--src-prefix=x/", "--dst-prefix=longer/"] },
  {
    argv: ["-M"],
    shape: ["--src-prefix=one/two/", "--dst-prefix=one/three/"],
    options: { prefixes: { old: "one/two/", new: "one/three/" } },
    stripped: "more",
  },
  { argv: ["-M"], config: ["core.quotePath=false"] },
  { argv: ["-M", "--patience", "--minimal"] },
];

const seeds = Array.from({ length: 12 }, (_, index) => index + 1);

describe.each(seeds)("a random change, seed %i", (seed) => {
  it("is indexed as git lists, counts, applies and stores it", () => {
    inFolder((folder) => {
      const trees = randomTrees(seed);
      makeRepository(folder, trees);
      for (const manner of manners) {
        const { ours, theirs } = compare(folder, manner, trees);
        expect({ manner, ...ours }).toEqual({ manner, ...theirs });
      }
    });
  });
});

/** The same facts twice: from our index, and from what git says in its forms for machines. */
function compare(folder: string, manner: Manner, trees: { readonly base: Tree; readonly head: Tree }): Comparison {
  const { argv, shape = [], config = [], options = {}, stripped = 1 } = manner;
  const ask = (...more: string[]): Buffer =>
    git(folder, [...config.flatMap((key) => ["-c", key]), "diff", ...argv, ...more, "base", "head"]);
  const patch = ask("--patch", ...shape);
  const diff = parsed(patch, options);
  const raw = readRaw(ask("--raw", "-z", "--no-abbrev"));
  const counts = readNumstat(ask("--numstat", "-z"));
  const [old, next] = argv.includes("-R") ? [trees.head, trees.base] : [trees.base, trees.head];
  const isApplied = stripped !== "more" && patch.length > 0;
  const applied = isApplied ? readNumstat(git(folder, ["apply", `-p${stripped}`, "--numstat", "-z", "-"], patch)) : [];
  return {
    ours: {
      files: diff.files.map(describeFile),
      counts: comparableCounts(diff.files.map(countFile), raw),
      applied: isApplied ? withoutBinaryCounts(diff.files.map(countFile)) : [],
      contents: diff.files.map((file) => makeContent(diff, file, old.get(nameOf(file.oldPath) ?? ""))),
    },
    theirs: {
      files: raw.flatMap(describeRaw),
      counts: comparableCounts(counts, raw),
      applied: withoutBinaryCounts(applied),
      contents: diff.files.map((file) => wantedContent(file, next.get(nameOf(file.newPath) ?? ""))),
    },
  };
}

interface Comparison {
  readonly ours: Facts;
  readonly theirs: Facts;
}

interface Facts {
  readonly files: readonly Described[];
  readonly counts: readonly Counts[];
  readonly applied: readonly Partial<Counts>[];
  readonly contents: readonly (string | undefined)[];
}

function parsed(patch: Uint8Array, options: DiffOptions): Diff {
  const outcome = parseDiff(new Uint8Array(patch), options);
  if (outcome.kind !== "diff") throw new Error(`${outcome.reason} (${outcome.kind} at ${outcome.offset})`);
  return outcome.diff;
}

function nameOf(path: DiffPath | undefined): string | undefined {
  return path && Buffer.from(pathBytes(path)).toString("latin1");
}

interface Described {
  readonly kind: FileKind;
  readonly old: string | undefined;
  readonly new: string | undefined;
  readonly oldMode: string | undefined;
  readonly newMode: string | undefined;
}

function describeFile(file: DiffFile): Described {
  const { kind, oldMode, newMode } = file;
  return { kind, old: nameOf(file.oldPath), new: nameOf(file.newPath), oldMode, newMode };
}

function describeRaw({
  status,
  oldName,
  newName,
  oldMode,
  newMode,
  oldBlob,
  newBlob,
}: RawChange): readonly Described[] {
  const added: Described = { kind: "added", old: undefined, new: newName, oldMode: undefined, newMode };
  const deleted: Described = { kind: "deleted", old: oldName, new: undefined, oldMode, newMode: undefined };
  if (status === "A") return [added];
  if (status === "D") return [deleted];
  if (status === "T") return [deleted, added];
  const isContentSame = oldBlob === newBlob;
  const kind = status === "R" ? "renamed" : status === "C" ? "copied" : isContentSame ? "mode_changed" : "modified";
  // A patch that only moves a file does not state its mode.
  const modes =
    isContentSame && oldMode === newMode ? { oldMode: undefined, newMode: undefined } : { oldMode, newMode };
  return [{ kind, old: oldName, new: newName, ...modes }];
}

function countFile(file: DiffFile): Counts {
  const name = nameOf(file.newPath ?? file.oldPath) ?? "";
  return { added: file.addedLines, removed: file.removedLines, isBinary: file.content.kind === "binary", name };
}

/**
 * Line counts without those of type changes, which git counts as one change and shows as two. A binary that was only
 * moved is one to git, but its patch does not say so.
 */
function comparableCounts(counts: readonly Counts[], raw: readonly RawChange[]): readonly Counts[] {
  const twofold = new Set(raw.filter(({ status }) => status === "T").map(({ newName }) => newName));
  const unchanged = new Set(raw.filter(({ oldBlob, newBlob }) => oldBlob === newBlob).map(({ newName }) => newName));
  return counts
    .filter(({ name }) => !twofold.has(name))
    .map((one) => ({ ...one, isBinary: one.isBinary && !unchanged.has(one.name) }));
}

/** `git apply` counts a binary payload in its own way. */
function withoutBinaryCounts(counts: readonly Counts[]): readonly Partial<Counts>[] {
  return counts.map((one) => (one.isBinary ? { name: one.name } : one));
}

/** The new content as our index has it, in hexadecimal. Undefined: the diff does not hold it. */
function makeContent(diff: Diff, file: DiffFile, old: Entry | undefined): string | undefined {
  const { content } = file;
  if (!showsContent(file)) return undefined;
  if (content.kind === "text") return applyIndex(diff, file, shownContent(old)).toString("hex");
  const payload = content.kind === "binary" ? content.payload : undefined;
  return (payload ? inflateBlock(diff, payload.forward) : shownContent(old)).toString("hex");
}

function wantedContent(file: DiffFile, next: Entry | undefined): string | undefined {
  if (next && file.newBlob && !blobId(next).startsWith(file.newBlob)) throw new Error(`wrong blob id of ${file.path}`);
  return showsContent(file) ? shownContent(next).toString("hex") : undefined;
}

function showsContent({ content, kind }: DiffFile): boolean {
  if (content.kind === "binary") return content.payload?.forward.method === "literal";
  return content.kind === "text" || kind !== "deleted";
}

/** A submodule is shown as a line that names its commit. */
function shownContent(entry: Entry | undefined): Buffer {
  if (entry === undefined) return Buffer.alloc(0);
  return entry.mode === "160000" ? Buffer.from(`Subproject commit ${entry.content.toString()}\n`) : entry.content;
}
