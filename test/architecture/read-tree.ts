import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readSource, type Source } from "./source.ts";

/** Folders in which nothing is ours. */
const FOREIGN: ReadonlySet<string> = new Set(["node_modules", ".git", ".cache", "dist", "coverage"]);

/** The paths of all files under the root, with `/`, in order. */
export function readPaths(root: string): readonly string[] {
  return listFolder(root, "").sort();
}

/** Every TypeScript file of src, test and tools. */
export function readSources(root: string): readonly Source[] {
  return readPaths(root)
    .filter((path) => /^(src|test|tools)\/.*\.tsx?$/.test(path))
    .map((path) => readSource({ path, text: readFileSync(join(root, path), "utf8") }));
}

/** Every page of Markdown. */
export function readPages(root: string): readonly { readonly path: string; readonly text: string }[] {
  return readPaths(root)
    .filter((path) => path.endsWith(".md"))
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}

function listFolder(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      return FOREIGN.has(entry.name) ? [] : listFolder(root, path);
    }
    return [path];
  });
}
