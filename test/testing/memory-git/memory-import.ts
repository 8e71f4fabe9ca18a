import type { BytePath } from "#git/byte-path.ts";
import { checkImport } from "#git/check-import.ts";
import { scanFolder } from "#git/scan-folder.ts";
import { GitError, type ImportOutcome, type ImportRequest } from "#ports/git.ts";
import { createMemoryFolder, type MemoryFolder, memorySource } from "#testing/memory-git/memory-folder.ts";
import { storeFile, storeTree } from "#testing/memory-git/memory-hub.ts";
import { filesOf, findUnknownIn, type MemoryState } from "#testing/memory-git/memory-state.ts";

/** Reads and judges the folder with the same code as the real one; only what lies below is of memory. */
export async function importMemoryResult(state: MemoryState, request: ImportRequest): Promise<ImportOutcome> {
  const unknown = findUnknownIn(state, [request.commit]);
  if (unknown !== undefined) return unknown;
  const base = filesOf(state, request.commit);
  const { entriesMax } = request.limits;
  if (base.size > entriesMax) {
    throw new GitError("over_limit", `the commit itself has more files than entriesMax, which is ${entriesMax}`);
  }
  const { objects } = state.hub;
  const source = memorySource(state.folders.get(request.folder) ?? missingFolder());
  const scan = await scanFolder({ ...request, source, base, format: "sha1" });
  const baseLinks = new Map<BytePath, string>();
  for (const [path, { mode, id }] of base) {
    if (mode === "120000") baseLinks.set(path, Buffer.from(objects.blobs.get(id) ?? []).toString("latin1"));
  }
  const judgement = checkImport({ ...request, base, scan, baseLinks });
  if (judgement.kind === "refused") return judgement;
  const { ignoredCount } = scan;
  const changes = [...judgement.changes.values()];
  if (changes.length === 0) return { kind: "unchanged", ignoredCount };
  const files = new Map(base);
  for (const [path, { kind, mode }] of judgement.changes) {
    if (kind === "deleted") files.delete(path);
    else files.set(path, storeFile(objects, { mode, content: scan.contents.get(path) ?? new Uint8Array() }));
  }
  return { kind: "imported", tree: storeTree(objects, files), changes, ignoredCount };
}

function missingFolder(): MemoryFolder {
  const folder = createMemoryFolder();
  folder.nodes.set("", { kind: "unreadable" });
  return folder;
}
