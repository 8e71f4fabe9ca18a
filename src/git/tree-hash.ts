import { compareText } from "#core/compare-text.ts";
import type { BytePath } from "#git/byte-path.ts";
import type { Tree, TreeFile } from "#git/folder-source.ts";
import { objectId } from "#git/object-id.ts";
import { treeIdOf } from "#git/tree-id.ts";
import type { TreeId } from "#ports/git.ts";

/** The name that git gives to a tree with these files. */
export function hashTree(tree: Tree): TreeId {
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
