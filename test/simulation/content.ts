import type { HeadSha } from "#core/model/ids.ts";
import type { MemoryHub } from "#testing/memory-git/memory-hub.ts";

/** What a head really holds, read from its bytes: nobody's word is taken for it. */
export interface Defect {
  /** `defect-7-k3`: with its score, and a name of its own. */
  readonly name: string;
  readonly score: number;
}

/** The file in which the author of a pull works. */
export const codePath = "src/code.ts";
/** The file in which people suggest changes, in the scene that is about them. */
export const suggestedPath = "src/suggested.ts";
/** Nobody's change may touch it in a session. */
export const protectedPath = ".github/workflows/ci.yml";
/** Moves on the base branch alone. */
const basePath = "base.txt";
/** Stands on the other base branch, and in a pull that was rebased onto it. */
export const nextPath = "next.txt";

const pattern = /defect-(\d+)-[a-z0-9]+/;

function filesAt(hub: MemoryHub, head: HeadSha): ReadonlyMap<string, string> {
  const { commits, trees, blobs } = hub.objects;
  const commit = commits.get(head);
  const tree = commit === undefined ? undefined : trees.get(commit.tree);
  const files = new Map<string, string>();
  for (const [path, file] of tree ?? []) files.set(path, Buffer.from(blobs.get(file.id) ?? []).toString());
  return files;
}

export function textAt(hub: MemoryHub, head: HeadSha, path: string): string {
  return filesAt(hub, head).get(path) ?? "";
}

export function linesAt(hub: MemoryHub, head: HeadSha): readonly string[] {
  return (filesAt(hub, head).get(codePath) ?? "").split("\n").filter((line) => line !== "");
}

export function defectsAt(hub: MemoryHub, head: HeadSha): readonly Defect[] {
  return linesAt(hub, head).flatMap((line) => readDefect(line) ?? []);
}

export function readDefect(line: string): Defect | undefined {
  const found = pattern.exec(line);
  return found === null ? undefined : { name: found[0], score: Number(found[1]) };
}

/** Equal for two heads of a pull that change the same on this base: what stands on the base branch itself is left out. */
export function patchAt(hub: MemoryHub, { head, base }: { readonly head: HeadSha; readonly base: string }): string {
  const isOfBase = (path: string): boolean => path === basePath || (path === nextPath && base === "next");
  const files = [...filesAt(hub, head)].filter(([path]) => !isOfBase(path));
  return JSON.stringify(files.sort(([left], [right]) => (left < right ? -1 : 1)));
}
