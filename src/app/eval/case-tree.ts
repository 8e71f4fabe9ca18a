import { createHash } from "node:crypto";
import { lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { compareText } from "#core/compare-text.ts";

/** Paths use slashes. The tree holds plain files only, so nothing outside the folder can be reached. */
export type CaseTree = ReadonlyMap<string, string>;

export type ReadTree =
  | { readonly kind: "tree"; readonly tree: CaseTree; readonly digest: string }
  | { readonly kind: "none" }
  | { readonly kind: "wrong"; readonly problems: readonly string[] };

const treeLimits = { filesMax: 5_000, bytesMax: 64 * 1024 * 1024, depthMax: 30 } as const;

export async function readTree(folder: string): Promise<ReadTree> {
  const found = await lstat(folder).catch(() => undefined);
  if (found === undefined) return { kind: "none" };
  if (!found.isDirectory()) return { kind: "wrong", problems: ["is no folder."] };
  const walk: Walk = { files: new Map(), problems: [], bytes: 0 };
  await walkFolder(walk, { folder, path: "", depth: 0 });
  if (walk.problems.length > 0) return { kind: "wrong", problems: walk.problems };
  const hash = createHash("sha256");
  for (const [path, place] of [...walk.files].toSorted(([left], [right]) => compareText(left, right))) {
    const bytes = await readFile(place);
    hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  }
  return { kind: "tree", tree: walk.files, digest: hash.digest("hex") };
}

interface Walk {
  readonly files: Map<string, string>;
  readonly problems: string[];
  bytes: number;
}

interface WalkedFolder {
  readonly folder: string;
  readonly path: string;
  readonly depth: number;
}

async function walkFolder(walk: Walk, { folder, path, depth }: WalkedFolder): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (isFull(walk)) return;
    const place = join(folder, entry.name);
    const inTree = path === "" ? entry.name : `${path}/${entry.name}`;
    if (entry.isDirectory() && depth < treeLimits.depthMax) {
      await walkFolder(walk, { folder: place, path: inTree, depth: depth + 1 });
    } else if (entry.isFile()) {
      walk.files.set(inTree, place);
      walk.bytes += (await lstat(place)).size;
      if (isFull(walk)) walk.problems.push(fullWords);
    } else {
      walk.problems.push(`${inTree} is no plain file. A case holds plain files alone: no links, no deeper folders.`);
    }
  }
}

const fullWords = `has more than ${treeLimits.filesMax} files or ${treeLimits.bytesMax} bytes. Keep what the case needs.`;

function isFull({ files, bytes }: Walk): boolean {
  return files.size > treeLimits.filesMax || bytes > treeLimits.bytesMax;
}
