import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, mkdtemp, open, opendir, readlink, rm } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { type BytePath, bytesOf } from "#git/byte-path.ts";
import { checkImport } from "#git/check-import.ts";
import type { FolderItem, FolderSource, Tree, TreeFile } from "#git/folder-source.ts";
import { formatOf } from "#git/object-id.ts";
import { readLinks, writeBlobs } from "#git/real-blobs.ts";
import type { MirrorContext } from "#git/real-git-context.ts";
import { findUnknown } from "#git/real-history.ts";
import { listFiles } from "#git/real-tree.ts";
import { mustRun } from "#git/run-git.ts";
import { type Scan, scanFolder } from "#git/scan-folder.ts";
import { treeIdOf } from "#git/tree-id.ts";
import { GitError, type ImportedChange, type ImportOutcome, type ImportRequest, type TreeId } from "#ports/git.ts";

export async function importRealResult(context: MirrorContext, request: ImportRequest): Promise<ImportOutcome> {
  if (!isAbsolute(request.folder)) throw new GitError("bad_request", "a folder is named by its absolute path");
  const unknown = await findUnknown(context, [request.commit]);
  if (unknown !== undefined) return unknown;
  const base = await readBase(context, request);
  const source = realFolder(request.folder);
  const scan = await scanFolder({ ...request, source, base, format: formatOf(request.commit) });
  const baseLinks = await readLinks(context, base, request);
  const judgement = checkImport({ ...request, base, scan, baseLinks });
  if (judgement.kind === "refused") return judgement;
  const { changes } = judgement;
  const { ignoredCount } = scan;
  if (changes.size === 0) return { kind: "unchanged", ignoredCount };
  const tree = await writeTree(context, request, { changes, scan });
  return { kind: "imported", tree, changes: [...changes.values()], ignoredCount };
}

async function readBase(context: MirrorContext, request: ImportRequest): Promise<Tree> {
  const { entriesMax } = request.limits;
  const { entries, isCut } = await listFiles(context, { tree: request.commit, entriesMax, signal: request.signal });
  if (isCut)
    throw new GitError("over_limit", `the commit itself has more files than entriesMax, which is ${entriesMax}`);
  const base = new Map<BytePath, TreeFile>();
  for (const { path, mode, id, bytes } of entries) {
    if (mode !== "040000") base.set(path, { mode, id, bytes: bytes ?? 0 });
  }
  return base;
}

interface Accepted {
  readonly changes: ReadonlyMap<BytePath, ImportedChange>;
  readonly scan: Scan;
}

/** In an index of this call alone, without a folder. */
async function writeTree(context: MirrorContext, request: ImportRequest, accepted: Accepted): Promise<TreeId> {
  const stored = [...accepted.changes.keys()].filter((path) => accepted.scan.contents.has(path));
  const contents = stored.map((path) => accepted.scan.contents.get(path) ?? new Uint8Array());
  const ids = await writeBlobs(context, contents, request);
  const scratch = await mkdtemp(join(context.scratch, "import-"));
  try {
    const step = {
      gitDir: context.gitDir,
      environment: { GIT_INDEX_FILE: join(scratch, "index") },
      signal: request.signal,
    };
    await mustRun(context.runGit, { ...step, args: ["read-tree", "--end-of-options", request.commit] });
    const input = indexInfo(accepted, new Map(stored.map((path, index) => [path, ids[index] ?? ""])));
    await mustRun(context.runGit, { ...step, args: ["update-index", "-z", "--index-info"], input });
    const { stdout } = await mustRun(context.runGit, { ...step, args: ["write-tree"] });
    return treeIdOf(stdout.toString().trim());
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Deletions first: a file may have become a folder. */
function indexInfo({ changes, scan }: Accepted, ids: ReadonlyMap<BytePath, string>): Buffer {
  const gone: Buffer[] = [];
  const here: Buffer[] = [];
  for (const [path, { kind, mode }] of changes) {
    const file = scan.files.get(path);
    const id = ids.get(path) ?? file?.id ?? "";
    // Git's answer counts; ours is only compared with the base.
    if (file !== undefined && file.id !== id)
      throw new GitError("failed", "git gave a blob another name than expected");
    if (kind === "deleted") gone.push(Buffer.from("0 0000000000000000000000000000000000000000\t"), bytesOf(path), nul);
    else here.push(Buffer.from(`${mode} ${id}\t`), bytesOf(path), nul);
  }
  return Buffer.concat([...gone, ...here]);
}

const nul = Buffer.from("\0");

/** Names are bytes all the way, and no link is followed. */
function realFolder(root: string): FolderSource {
  const full = (path: BytePath): Buffer =>
    path === "" ? Buffer.from(root) : Buffer.concat([Buffer.from(`${root}/`), bytesOf(path)]);
  return {
    list: (folder, entriesMax) => unlessUnreadable(() => listFolder(full(folder), entriesMax)),
    read: (path, bytesMax) => unlessUnreadable(() => readRegular(full(path), bytesMax)),
    readLink: (path) =>
      unlessUnreadable(async () => new Uint8Array(await readlink(full(path), { encoding: "buffer" }))),
  };
}

async function unlessUnreadable<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await read();
  } catch {
    return undefined;
  }
}

async function listFolder(folder: Buffer, entriesMax: number): Promise<readonly FolderItem[] | undefined> {
  if (!(await lstat(folder)).isDirectory()) return undefined;
  const items: FolderItem[] = [];
  for await (const { name } of await opendir(folder, { encoding: "latin1" })) {
    const found = await lstat(Buffer.concat([folder, Buffer.from("/"), bytesOf(name)]));
    items.push({
      name,
      kind: kindOf(found),
      bytes: found.size,
      isExecutable: (found.mode & 0o100) !== 0,
      linkCount: found.nlink,
    });
    if (items.length > entriesMax) break;
  }
  return items;
}

function kindOf(found: Stats): FolderItem["kind"] {
  if (found.isDirectory()) return "folder";
  if (found.isSymbolicLink()) return "link";
  return found.isFile() ? "file" : "special";
}

/** Asks what was opened, not its name; a pipe that took the file's place would not block. */
async function readRegular(path: Buffer, bytesMax: number): Promise<Uint8Array | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const found = await file.stat();
    return found.isFile() && found.size <= bytesMax ? await readWhole(file, found.size) : undefined;
  } finally {
    await file.close();
  }
}

async function readWhole(file: FileHandle, bytes: number): Promise<Uint8Array | undefined> {
  const content = new Uint8Array(bytes);
  let at = 0;
  while (at < bytes) {
    const { bytesRead } = await file.read(content, at, bytes - at, at);
    // It became shorter while it was read.
    if (bytesRead === 0) return undefined;
    at += bytesRead;
  }
  return content;
}
