import { decodeText } from "#core/diff/decode-text.ts";
import { type HeadSha, Untrusted } from "#core/model/ids.ts";
import { type BytePath, bytePathOf, diffPathOf, inFolder, readPath } from "#git/byte-path.ts";
import type { MirrorContext } from "#git/real-git-context.ts";
import { findUnknown } from "#git/real-history.ts";
import { mustRun } from "#git/run-git.ts";
import {
  type Cancellable,
  type FileMode,
  type FileRead,
  type FileRequest,
  GitError,
  type TreeRead,
  type TreeRequest,
} from "#ports/git.ts";

export interface ListedEntry {
  readonly path: BytePath;
  readonly mode: FileMode | "040000";
  readonly id: string;
  readonly bytes: number | null;
}

export async function readRealFile(context: MirrorContext, request: FileRequest): Promise<FileRead> {
  const unknown = await findUnknown(context, [request.commit]);
  if (unknown !== undefined) return unknown;
  const entry = await findEntry(context, request);
  if (entry === undefined) return { kind: "absent" };
  if (entry.mode === "040000") return { kind: "folder" };
  if (entry.mode === "160000") return { kind: "submodule", commit: entry.id };
  const bytes = entry.bytes ?? 0;
  if (bytes > request.bytesMax) return { kind: "too_large", bytes };
  const content = await readBlob(context, { id: entry.id, bytes, signal: request.signal });
  if (entry.mode === "120000") return { kind: "link", target: Untrusted.parse(decodeText(content)) };
  return { kind: "file", bytes: content, isExecutable: entry.mode === "100755" };
}

async function findEntry(
  context: MirrorContext,
  { commit, path }: { readonly commit: HeadSha; readonly path: string },
): Promise<ListedEntry | undefined> {
  if (readPath(path) === undefined) return undefined;
  const args = ["ls-tree", "--full-tree", "-z", "--long", "--end-of-options", commit, "--", path];
  const { stdout } = await mustRun(context.runGit, { args, gitDir: context.gitDir });
  return readEntries(stdout).find((entry) => entry.path === bytePathOf(path));
}

async function readBlob(
  context: MirrorContext,
  { id, bytes, signal }: Cancellable & { readonly id: string; readonly bytes: number },
): Promise<Uint8Array> {
  const args = ["cat-file", "blob", id];
  const ran = await mustRun(context.runGit, { args, gitDir: context.gitDir, stdoutBytesMax: bytes, signal });
  return new Uint8Array(ran.stdout);
}

export async function listRealTree(context: MirrorContext, request: TreeRequest): Promise<TreeRead> {
  const unknown = await findUnknown(context, [request.commit]);
  if (unknown !== undefined) return unknown;
  let tree: string = request.commit;
  if (request.folder !== "") {
    const entry = await findEntry(context, { commit: request.commit, path: request.folder });
    if (entry?.mode !== "040000") return { kind: "absent" };
    tree = entry.id;
  }
  const { entries, isCut } = await listFiles(context, { ...request, tree });
  const folder = bytePathOf(request.folder);
  const all = entries.flatMap(({ path, mode, id, bytes }) =>
    mode === "040000" ? [] : [{ path: diffPathOf(inFolder(folder, path)), mode, id, bytes }],
  );
  return { kind: "tree", entries: all, isCut };
}

/** Cut by bytes first: names have a length limit. */
export async function listFiles(
  context: Pick<MirrorContext, "runGit" | "limits" | "gitDir">,
  options: Cancellable & { readonly tree: string; readonly entriesMax: number },
): Promise<{ readonly entries: readonly ListedEntry[]; readonly isCut: boolean }> {
  const args = ["ls-tree", "-r", "--full-tree", "-z", "--long", "--end-of-options", options.tree];
  const { limits, gitDir } = context;
  const stdoutBytesMax = Math.min(limits.answerBytesMax, (options.entriesMax + 1) * entryBytesMax);
  const ran = await mustRun(context.runGit, { args, gitDir, stdoutBytesMax, mayCut: true, signal: options.signal });
  const entries = readEntries(ran.stdout);
  return {
    entries: entries.slice(0, options.entriesMax),
    isCut: ran.isCut || entries.length > options.entriesMax,
  };
}

/** Mode, type, id and size take less than 150 bytes, and no file system has longer paths than 4,096. */
const entryBytesMax = 4_300;

/** Of `ls-tree -z --long`. What follows the last NUL was cut off. */
function readEntries(output: Buffer): readonly ListedEntry[] {
  return output.toString("latin1").split("\0").slice(0, -1).map(readEntry);
}

function readEntry(line: string): ListedEntry {
  const [, mode, id, size, path] = /^(\d{6}) [a-z]+ ([0-9a-f]+) +(\d+|-)\t([^]+)$/.exec(line) ?? [];
  if (mode === undefined || id === undefined || path === undefined) {
    throw new GitError("failed", "git ls-tree gave a line that cannot be read");
  }
  return { path, mode: readMode(mode), id, bytes: size === "-" ? null : Number(size) };
}

/** Old repositories hold other permissions, which git itself takes for these two. */
function readMode(mode: string): ListedEntry["mode"] {
  switch (mode) {
    case "120000":
    case "160000":
    case "040000":
      return mode;
    default:
      return (Number.parseInt(mode, 8) & 0o100) === 0 ? "100644" : "100755";
  }
}
