import { type BytePath, bytePathOf, foldersAbove, parentFolder } from "#git/byte-path.ts";
import type { FolderItem, FolderSource } from "#git/folder-source.ts";

/** What may lie in a folder of the simulated world. Folders are there by what lies in them, or by themselves. */
export type MemoryNode =
  | { readonly kind: "file"; readonly content: Uint8Array; readonly isExecutable: boolean; readonly linkCount: number }
  | { readonly kind: "link"; readonly target: Uint8Array }
  | { readonly kind: "special" }
  | { readonly kind: "unreadable" }
  | { readonly kind: "folder" };

/** A folder in which an agent works. Paths are UTF-8 and relative to it. */
export interface MemoryFolder {
  /** Puts an entry there, in the place of any other. Text is a plain file. */
  write(path: string, node: MemoryNode | string): void;
  /** Takes a file away, or a folder with all that is in it. */
  remove(path: string): void;
  /** The content of a file as text; undefined where there is none. */
  read(path: string): string | undefined;
  readonly nodes: Map<BytePath, MemoryNode>;
}

export function createMemoryFolder(): MemoryFolder {
  const nodes = new Map<BytePath, MemoryNode>();
  const clear = (path: BytePath): void => {
    for (const name of nodes.keys()) if (name === path || name.startsWith(`${path}/`)) nodes.delete(name);
  };
  return {
    nodes,
    write(path, node) {
      const key = bytePathOf(path);
      clear(key);
      for (const folder of foldersAbove(key)) if (nodes.get(folder)?.kind !== "folder") nodes.delete(folder);
      nodes.set(key, typeof node === "string" ? plainFile(Buffer.from(node)) : node);
    },
    remove: (path) => clear(bytePathOf(path)),
    read(path) {
      const node = nodes.get(bytePathOf(path));
      return node?.kind === "file" ? Buffer.from(node.content).toString() : undefined;
    },
  };
}

export function plainFile(content: Uint8Array, isExecutable = false): MemoryNode {
  return { kind: "file", content, isExecutable, linkCount: 1 };
}

export function memorySource({ nodes }: MemoryFolder): FolderSource {
  return {
    list: async (folder, entriesMax) => listNodes(nodes, folder)?.slice(0, entriesMax + 1),
    read: async (path, bytesMax) => {
      const node = nodes.get(path);
      return node?.kind === "file" && node.content.length <= bytesMax ? node.content : undefined;
    },
    readLink: async (path) => {
      const node = nodes.get(path);
      return node?.kind === "link" ? node.target : undefined;
    },
  };
}

function listNodes(nodes: ReadonlyMap<BytePath, MemoryNode>, folder: BytePath): readonly FolderItem[] | undefined {
  if (nodes.get(folder)?.kind === "unreadable") return undefined;
  const items = new Map<BytePath, FolderItem>();
  for (const [path, node] of nodes) {
    if (parentFolder(path) === folder) items.set(path, itemOf(path.slice(folder.length && folder.length + 1), node));
    for (const above of foldersAbove(path)) {
      if (parentFolder(above) === folder && !items.has(above)) {
        items.set(above, itemOf(above.slice(folder.length && folder.length + 1), { kind: "folder" }));
      }
    }
  }
  return [...items.values()];
}

function itemOf(name: BytePath, node: MemoryNode): FolderItem {
  const plain = { name, bytes: 0, isExecutable: false, linkCount: 1 };
  switch (node.kind) {
    case "file":
      return {
        name,
        kind: "file",
        bytes: node.content.length,
        isExecutable: node.isExecutable,
        linkCount: node.linkCount,
      };
    case "link":
      return { ...plain, kind: "link", bytes: node.target.length };
    case "special":
      return { ...plain, kind: "special" };
    case "unreadable":
      return { ...plain, kind: "file" };
    default:
      return { ...plain, kind: "folder" };
  }
}
