import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { basename, dirname, join, relative, sep } from "node:path";
import {
  changeFolder,
  contentAfter,
  type DiskFolder,
  type DiskNode,
  type Fate,
  type FileChange,
  namesAfter,
  newFile,
  newFolder,
  syncNode,
} from "./disk-model.ts";

/** Watches a folder as the disk below it would, from `recordDisk` to `stop`. What is there at the beginning is safe. */
export interface RecordedDisk {
  /** Called before each operation that changes the folder or syncs. An error thrown from here is the disk's answer. */
  onOperation: (operation: DiskOperation) => void;
  /** Writes the folder to another place, which does not exist yet, as it would be found after a power cut now. */
  cut(target: string, fate: Fate): void;
  readonly stop: () => void;
}

export interface DiskOperation {
  readonly kind: "write" | "truncate" | "sync" | "make" | "rename" | "remove";
  readonly path: string;
}

/** Replaces Node's own functions, so nothing in the process can go around it. Those that are not named here are not used. */
export function recordDisk(root: string): RecordedDisk {
  const original = { ...fs };
  const top = readFolder(root, original);
  const open = new Map<number, { readonly node: DiskNode; readonly path: string }>();
  const disk: RecordedDisk = {
    onOperation: () => undefined,
    cut: (target, fate) => writeFolder({ folder: top, target, fate, original }),
    stop: () => {
      for (const name of Object.keys(watched)) Reflect.set(fs, name, Reflect.get(original, name));
      syncBuiltinESMExports();
    },
  };
  const place = (path: fs.PathLike): Place | undefined => {
    const inside = relative(root, String(path));
    return inside.startsWith("..") ? undefined : findPlace(top, inside);
  };
  const watch = { original, disk, open, place };
  const watched = { ...watchOpenFiles(watch), ...watchNames(watch) };
  Object.assign(fs, watched);
  syncBuiltinESMExports();
  return disk;
}

type Original = typeof fs;

interface Place {
  readonly folder: DiskFolder;
  readonly name: string;
  readonly node: DiskNode | undefined;
}

interface Watch {
  readonly original: Original;
  readonly disk: RecordedDisk;
  readonly open: Map<number, { readonly node: DiskNode; readonly path: string }>;
  readonly place: (path: fs.PathLike) => Place | undefined;
}

function watchOpenFiles({ original, disk, open, place }: Watch) {
  const sync = (file: number, run: (file: number) => void): void => {
    const opened = open.get(file);
    if (opened !== undefined) disk.onOperation({ kind: "sync", path: opened.path });
    run(file);
    if (opened !== undefined) syncNode(opened.node);
  };
  return {
    openSync: (path: fs.PathLike, flags?: fs.OpenMode, mode?: fs.Mode | null) => {
      const file = original.openSync(path, flags ?? "r", mode);
      const node = place(path)?.node;
      if (node !== undefined) open.set(file, { node, path: String(path) });
      return file;
    },
    closeSync: (file: number) => {
      open.delete(file);
      original.closeSync(file);
    },
    writeSync: (file: number, data: NodeJS.ArrayBufferView, offset: number, length: number, position: number) => {
      const opened = open.get(file);
      if (opened === undefined) return original.writeSync(file, data, offset, length, position);
      disk.onOperation({ kind: "write", path: opened.path });
      const written = original.writeSync(file, data, offset, length, position);
      const bytes = Buffer.from(data.buffer, data.byteOffset + offset, written);
      changeFile(opened.node, { kind: "write", at: position, data: Buffer.from(bytes) });
      return written;
    },
    ftruncateSync: (file: number, length: number) => {
      const opened = open.get(file);
      if (opened !== undefined) disk.onOperation({ kind: "truncate", path: opened.path });
      original.ftruncateSync(file, length);
      changeFile(opened?.node, { kind: "truncate", length });
    },
    fsyncSync: (file: number) => sync(file, original.fsyncSync),
    fdatasyncSync: (file: number) => sync(file, original.fdatasyncSync),
  };
}

function watchNames({ original, disk, place }: Watch) {
  const make = (path: fs.PathLike, node: DiskNode): void => {
    const where = place(path);
    if (where !== undefined && where.node === undefined) {
      changeFolder(where.folder, (names) => names.set(where.name, node));
    }
  };
  const remove = (path: fs.PathLike, run: () => void): void => {
    const where = place(path);
    if (where !== undefined) disk.onOperation({ kind: "remove", path: String(path) });
    run();
    if (where?.node !== undefined) changeFolder(where.folder, (names) => names.delete(where.name));
  };
  return {
    truncateSync: (path: fs.PathLike, length: number) => {
      if (place(path) !== undefined) disk.onOperation({ kind: "truncate", path: String(path) });
      original.truncateSync(path, length);
      changeFile(place(path)?.node, { kind: "truncate", length });
    },
    mkdirSync: (path: fs.PathLike, options: fs.MakeDirectoryOptions) => {
      if (place(path) !== undefined) disk.onOperation({ kind: "make", path: String(path) });
      const made = original.mkdirSync(path, options);
      make(path, newFolder());
      return made;
    },
    writeFileSync: (path: fs.PathLike, data: string, options: fs.WriteFileOptions) => {
      if (place(path) !== undefined) disk.onOperation({ kind: "make", path: String(path) });
      original.writeFileSync(path, data, options);
      make(path, newFile());
      changeFile(place(path)?.node, { kind: "write", at: 0, data: Buffer.from(data) });
    },
    renameSync: (from: fs.PathLike, to: fs.PathLike) => {
      const [source, target] = [place(from), place(to)];
      if (source !== undefined) disk.onOperation({ kind: "rename", path: String(to) });
      original.renameSync(from, to);
      if (source?.node !== undefined && target !== undefined) rename(source, target, source.node);
    },
    unlinkSync: (path: fs.PathLike) => remove(path, () => original.unlinkSync(path)),
    rmdirSync: (path: fs.PathLike) => remove(path, () => original.rmdirSync(path)),
    rmSync: (path: fs.PathLike, options: fs.RmOptions) => remove(path, () => original.rmSync(path, options)),
  };
}

function changeFile(node: DiskNode | undefined, change: FileChange): void {
  if (node?.kind === "file") node.pending.push(change);
}

function rename(source: Place, target: Place, node: DiskNode): void {
  if (source.folder === target.folder) {
    changeFolder(source.folder, (names) => {
      names.delete(source.name);
      names.set(target.name, node);
    });
    return;
  }
  changeFolder(target.folder, (names) => names.set(target.name, node));
  changeFolder(source.folder, (names) => names.delete(source.name));
}

/** The root has no name, and stands for itself. */
function findPlace(top: DiskFolder, path: string): Place | undefined {
  if (path === "") return { folder: top, name: "", node: top };
  let folder: DiskNode | undefined = top;
  for (const name of dirname(path) === "." ? [] : dirname(path).split(sep)) {
    folder = folder?.kind === "folder" ? folder.names.get(name) : undefined;
  }
  if (folder?.kind !== "folder") return undefined;
  return { folder, name: basename(path), node: folder.names.get(basename(path)) };
}

function readFolder(path: string, original: Original): DiskFolder {
  const names = original.readdirSync(path, { withFileTypes: true }).map((entry): [string, DiskNode] => {
    const below = join(path, entry.name);
    const node = entry.isDirectory() ? readFolder(below, original) : newFile(original.readFileSync(below));
    return [entry.name, node];
  });
  return newFolder(new Map(names));
}

function writeFolder(options: {
  readonly folder: DiskFolder;
  readonly target: string;
  readonly fate: Fate;
  readonly original: Original;
}): void {
  const { folder, target, fate, original } = options;
  original.mkdirSync(target, { recursive: true, mode: 0o700 });
  for (const [name, node] of namesAfter(folder, fate)) {
    const path = join(target, name);
    if (node.kind === "folder") writeFolder({ ...options, folder: node, target: path });
    else original.writeFileSync(path, contentAfter(node, fate), { mode: 0o600 });
  }
}
