import { compareText } from "#core/compare-text.ts";
import { decodeText } from "#core/diff/byte-scan.ts";
import { Untrusted } from "#core/model/ids.ts";
import { diffPathOf, readPath } from "#git/byte-path.ts";
import type { FileRead, FileRequest, TreeRead, TreeRequest } from "#ports/git.ts";
import { filesOf, findUnknownIn, type MemoryState } from "#testing/memory-git/memory-state.ts";

export function readMemoryFile(state: MemoryState, request: FileRequest): FileRead {
  const unknown = findUnknownIn(state, [request.commit]);
  if (unknown !== undefined) return unknown;
  const path = readPath(request.path);
  const files = filesOf(state, request.commit);
  const file = path === undefined ? undefined : files.get(path);
  if (file === undefined) {
    const isFolder = path !== undefined && [...files.keys()].some((name) => name.startsWith(`${path}/`));
    return { kind: isFolder ? "folder" : "absent" };
  }
  if (file.mode === "160000") return { kind: "submodule", commit: file.id };
  if (file.bytes > request.bytesMax) return { kind: "too_large", bytes: file.bytes };
  // A copy: what callers do with it must not change history.
  const bytes = new Uint8Array(state.hub.objects.blobs.get(file.id) ?? []);
  if (file.mode === "120000") return { kind: "link", target: Untrusted.parse(decodeText(bytes)) };
  return { kind: "file", bytes, isExecutable: file.mode === "100755" };
}

export function listMemoryTree(state: MemoryState, request: TreeRequest): TreeRead {
  const unknown = findUnknownIn(state, [request.commit]);
  if (unknown !== undefined) return unknown;
  const folder = request.folder === "" ? "" : readPath(request.folder);
  const below = folder === "" ? "" : `${folder}/`;
  const files = folder === undefined ? [] : [...filesOf(state, request.commit)];
  const found = files.filter(([path]) => path.startsWith(below)).sort(([left], [right]) => compareText(left, right));
  if (found.length === 0 && request.folder !== "") return { kind: "absent" };
  const entries = found.slice(0, request.entriesMax).map(([path, { mode, id, bytes }]) => ({
    path: diffPathOf(path),
    mode,
    id,
    bytes: mode === "160000" ? null : bytes,
  }));
  return { kind: "tree", entries, isCut: found.length > request.entriesMax };
}
