import { type DiffPath, makeDiffPath } from "#core/diff/diff-path.ts";

/** One character per byte: as text, two names that are not UTF-8 could become one. Sorts in git's own order. */
export type BytePath = string;

/** Undefined for what can name nothing in a tree: an empty or dotted segment, a leading slash, a NUL, half a character. */
export function readPath(text: string): BytePath | undefined {
  if (/\0|\p{Surrogate}/u.test(text)) return undefined;
  const isNamed = text.split("/").every((segment) => segment !== "" && segment !== "." && segment !== "..");
  return isNamed ? bytePathOf(text) : undefined;
}

export function bytePathOf(text: string): BytePath {
  return Buffer.from(text, "utf8").toString("latin1");
}

export function bytesOf(path: BytePath): Buffer {
  return Buffer.from(path, "latin1");
}

export function diffPathOf(path: BytePath): DiffPath {
  return makeDiffPath(new Uint8Array(bytesOf(path)));
}

/** `""` for what lies in the root. */
export function parentFolder(path: BytePath): BytePath {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

export function inFolder(folder: BytePath, name: BytePath): BytePath {
  return folder === "" ? name : `${folder}/${name}`;
}

export function foldersAbove(path: BytePath): readonly BytePath[] {
  const folders: BytePath[] = [];
  for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) folders.push(path.slice(0, at));
  return folders;
}
