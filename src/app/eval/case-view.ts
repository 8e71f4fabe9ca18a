import { readFile } from "node:fs/promises";
import type { CaseTree } from "#app/eval/case-tree.ts";
import type { SetCase } from "#app/eval/read-case.ts";
import { compareText } from "#core/compare-text.ts";
import type { ChangeView, RepositoryView } from "#ports/change-view.ts";

const viewLimits = { fileBytesMax: 5_000_000, listedMax: 10_000 } as const;

/** The files of a case, for reviewers who look beyond the diff. A name that the case does not list is no file. */
export function viewCase({ trees }: SetCase): Pick<ChangeView, "readFile" | "repository"> {
  return {
    readFile: async (side, path) => {
      const place = trees[side]?.get(path);
      if (place === undefined) return null;
      const bytes = new Uint8Array(await readFile(place));
      return bytes.length > viewLimits.fileBytesMax ? null : bytes;
    },
    repository: trees.new === null ? undefined : viewTree(trees.new),
  };
}

function viewTree(tree: CaseTree): RepositoryView {
  const all = [...tree.keys()].toSorted(compareText);
  return {
    listFiles: async (folder) => {
      const below = folder === "" ? all : all.filter((path) => path.startsWith(`${folder}/`));
      if (folder !== "" && below.length === 0) return null;
      const paths = below.slice(0, viewLimits.listedMax);
      return { paths, isCut: below.length > paths.length };
    },
    // A case is one change: nothing came before it.
    history: async () => [],
  };
}
