import type { TreeId } from "#ports/git.ts";

export function treeIdOf(id: string): TreeId {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one place that makes the brand.
  return id as TreeId;
}
