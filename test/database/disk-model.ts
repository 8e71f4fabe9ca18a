import type { SeededChance } from "./seeded-chance.ts";

/**
 * A disk as the strictest reading of the rules allows it to behave. What was written to a file is safe once the file was
 * synced, and a name once its folder was. Of the rest a power cut keeps whatever it likes: of a file's writes any, and
 * those only in part; of a folder's changes the first few. Sectors are written whole or not at all.
 */
export type DiskNode = DiskFile | DiskFolder;

export interface DiskFile {
  readonly kind: "file";
  safe: Buffer;
  pending: FileChange[];
}

export interface DiskFolder {
  readonly kind: "folder";
  readonly names: Map<string, DiskNode>;
  safe: ReadonlyMap<string, DiskNode>;
  pending: FolderChange[];
}

export type FileChange =
  | { readonly kind: "write"; readonly at: number; readonly data: Buffer }
  | { readonly kind: "truncate"; readonly length: number };

export type FolderChange = (names: Map<string, DiskNode>) => void;

/** What is left of the changes that were not synced: nothing, all of them, or what chance leaves. */
export type Fate = "lost" | "kept" | SeededChance;

const sectorBytes = 512;

export function newFile(content: Buffer = Buffer.alloc(0)): DiskFile {
  return { kind: "file", safe: content, pending: [] };
}

export function newFolder(names: ReadonlyMap<string, DiskNode> = new Map()): DiskFolder {
  return { kind: "folder", names: new Map(names), safe: new Map(names), pending: [] };
}

export function changeFolder(folder: DiskFolder, change: FolderChange): void {
  change(folder.names);
  folder.pending.push(change);
}

export function syncNode(node: DiskNode): void {
  if (node.kind === "file") node.safe = contentAfter(node, "kept");
  else node.safe = namesAfter(node, "kept");
  node.pending = [];
}

export function contentAfter({ safe, pending }: DiskFile, fate: Fate): Buffer {
  const changes = pending.flatMap((each) => partsOf(each, fate));
  // One copy that has room for all of them: a file of the log grows in thousands of small writes.
  const room = Buffer.alloc(Math.max(safe.length, ...changes.map(endOf)));
  safe.copy(room);
  const length = changes.reduce((before, change) => applyChange(room, before, change), safe.length);
  return room.subarray(0, length);
}

export function namesAfter({ safe, pending }: DiskFolder, fate: Fate): ReadonlyMap<string, DiskNode> {
  const names = new Map(safe);
  const kept = typeof fate === "function" ? fate(pending.length + 1) : fate === "kept" ? pending.length : 0;
  for (const change of pending.slice(0, kept)) change(names);
  return names;
}

function partsOf(change: FileChange, fate: Fate): readonly FileChange[] {
  if (typeof fate !== "function") return fate === "kept" ? [change] : [];
  const whim = fate(3);
  if (whim === 0) return [];
  return whim === 1 || change.kind === "truncate" ? [change] : tear(change, fate);
}

function tear(
  { at, data }: { readonly at: number; readonly data: Buffer },
  chance: SeededChance,
): readonly FileChange[] {
  const parts: FileChange[] = [];
  for (let from = 0; from < data.length; ) {
    const to = Math.min(data.length, from + sectorBytes - ((at + from) % sectorBytes));
    if (chance(2) === 0) parts.push({ kind: "write", at: at + from, data: data.subarray(from, to) });
    from = to;
  }
  return parts;
}

function endOf(change: FileChange): number {
  return change.kind === "truncate" ? change.length : change.at + change.data.length;
}

/** Answers with the new length. */
function applyChange(room: Buffer, length: number, change: FileChange): number {
  if (change.kind === "write") {
    change.data.copy(room, change.at);
    return Math.max(length, endOf(change));
  }
  room.fill(0, Math.min(length, change.length));
  return change.length;
}
