import { compareText } from "#core/compare-text.ts";
import { HeadSha } from "#core/model/ids.ts";
import { type Instant } from "#core/model/instant.ts";
import { type BytePath, bytePathOf } from "#git/byte-path.ts";
import { type Tree, type TreeFile } from "#git/folder-source.ts";
import { objectId } from "#git/object-id.ts";
import { commitText } from "#git/real-commit.ts";
import { isRefName } from "#git/ref-name.ts";
import { treeIdOf } from "#git/tree-id.ts";
import { type CommitRequest, type FileMode, type TreeId } from "#ports/git.ts";

/** Git in memory has the names that git itself would give: the same content is the same id in both. */
export interface MemoryCommit {
  readonly id: HeadSha;
  readonly tree: TreeId;
  readonly parents: readonly HeadSha[];
  readonly author: string;
  readonly at: Instant;
  readonly message: string;
}

export interface MemoryFile {
  readonly mode: FileMode;
  /** Of a link its target, of a submodule its commit. */
  readonly content: string | Uint8Array;
}

/** The content of a commit; text is a plain file, null takes the file away. Paths are UTF-8. */
export type MemoryChanges = Readonly<Record<string, MemoryFile | string | null>>;

export interface MemoryPush {
  readonly url: string;
  readonly ref: string;
  readonly from: HeadSha | null;
  readonly to: HeadSha | null;
}

/** All repositories of a simulated world: objects have one name everywhere, refs belong to a remote. */
export interface MemoryHub {
  readonly objects: MemoryObjects;
  createRemote(url: string): void;
  /** A new commit: the changes on top of the first parent. No ref points at it yet. */
  commit(made: Omit<CommitRequest, "tree"> & { readonly changes: MemoryChanges }): HeadSha;
  setRef(move: { readonly url: string; readonly ref: string; readonly to: HeadSha | null }): void;
  /** Moves a ref if it is where it is said to be. Undefined: there is no such remote. */
  compareAndSet(push: MemoryPush): "moved" | "elsewhere" | "rejected" | undefined;
  /** The refs of a remote; undefined where there is none. */
  refsOf(url: string): ReadonlyMap<string, HeadSha> | undefined;
  /** Lets the remote refuse pushes, as a protected branch does. */
  setGuard(url: string, accepts: (push: MemoryPush) => boolean): void;
}

export interface MemoryObjects {
  readonly commits: Map<HeadSha, MemoryCommit>;
  readonly trees: Map<TreeId, Tree>;
  readonly blobs: Map<string, Uint8Array>;
}

interface MemoryRemote {
  readonly refs: Map<string, HeadSha>;
  accepts: (push: MemoryPush) => boolean;
}

export function createMemoryHub(): MemoryHub {
  const objects: MemoryObjects = { commits: new Map(), trees: new Map(), blobs: new Map() };
  const remotes = new Map<string, MemoryRemote>();
  return {
    objects,
    createRemote: (url) => {
      remotes.set(url, { refs: new Map(), accepts: () => true });
    },
    commit: ({ changes, ...made }) => {
      const [parent] = made.parents;
      const before = parent === undefined ? undefined : objects.commits.get(parent);
      const files = new Map(before === undefined ? [] : objects.trees.get(before.tree));
      for (const [path, change] of Object.entries(changes)) applyChange(objects, files, bytePathOf(path), change);
      return storeCommit(objects, { ...made, tree: storeTree(objects, files) });
    },
    setRef: ({ url, ref, to }) => {
      const remote = remotes.get(url);
      if (remote === undefined || !isRefName(ref)) throw new Error("no such remote, or not a ref");
      moveRef(remote, ref, to);
    },
    compareAndSet: (push) => {
      const remote = remotes.get(push.url);
      if (remote === undefined) return undefined;
      if ((remote.refs.get(push.ref) ?? null) !== push.from) return "elsewhere";
      if (!remote.accepts(push)) return "rejected";
      moveRef(remote, push.ref, push.to);
      return "moved";
    },
    refsOf: (url) => remotes.get(url)?.refs,
    setGuard: (url, accepts) => {
      const remote = remotes.get(url);
      if (remote !== undefined) remote.accepts = accepts;
    },
  };
}

function moveRef(remote: MemoryRemote, ref: string, to: HeadSha | null): void {
  if (to === null) remote.refs.delete(ref);
  else remote.refs.set(ref, to);
}

function applyChange(
  objects: MemoryObjects,
  files: Map<BytePath, TreeFile>,
  path: BytePath,
  change: MemoryFile | string | null,
): void {
  if (change === null) files.delete(path);
  else files.set(path, storeFile(objects, typeof change === "string" ? { mode: "100644", content: change } : change));
}

export function storeFile(objects: MemoryObjects, { mode, content }: MemoryFile): TreeFile {
  const bytes = typeof content === "string" ? new Uint8Array(Buffer.from(content)) : content;
  if (mode === "160000") return { mode, id: Buffer.from(bytes).toString(), bytes: 0 };
  const id = objectId("blob", bytes, "sha1");
  objects.blobs.set(id, bytes);
  return { mode, id, bytes: bytes.length };
}

export function storeTree(objects: MemoryObjects, files: Tree): TreeId {
  const id = hashTree(files);
  objects.trees.set(id, files);
  return id;
}

export function storeCommit(objects: MemoryObjects, made: CommitRequest): HeadSha {
  const text = commitText(made);
  const id = HeadSha.parse(objectId("commit", Buffer.from(text), "sha1"));
  const { tree, parents, at, message, identity } = made;
  objects.commits.set(id, { id, tree, parents, at, message, author: identity.name });
  return id;
}

/** The name that git gives to a tree with these files. */
function hashTree(tree: Tree): TreeId {
  return treeIdOf(hashFolder([...tree].map(([path, file]) => ({ path, file }))));
}

interface Entry {
  readonly path: BytePath;
  readonly file: TreeFile;
}

function hashFolder(entries: readonly Entry[]): string {
  const items: { readonly order: string; readonly mode: string; readonly name: string; readonly id: string }[] = [];
  const folders = new Map<string, Entry[]>();
  for (const { path, file } of entries) {
    const cut = path.indexOf("/");
    if (cut === -1) items.push({ order: path, mode: file.mode, name: path, id: file.id });
    else {
      const name = path.slice(0, cut);
      const inside = folders.get(name) ?? [];
      folders.set(name, inside);
      inside.push({ path: path.slice(cut + 1), file });
    }
  }
  // A folder is sorted as if its name ended with a slash.
  for (const [name, inside] of folders) items.push({ order: `${name}/`, mode: "40000", name, id: hashFolder(inside) });
  items.sort((left, right) => compareText(left.order, right.order));
  const parts = items.flatMap(({ mode, name, id }) => [
    Buffer.from(`${mode} ${name}\0`, "latin1"),
    Buffer.from(id, "hex"),
  ]);
  return objectId("tree", Buffer.concat(parts), "sha1");
}
