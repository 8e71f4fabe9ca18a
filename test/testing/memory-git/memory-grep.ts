import { compareText } from "#core/compare-text.ts";
import { diffPathOf, readPath } from "#git/byte-path.ts";
import { grepLimits, linesWith, readGrepText } from "#git/grep-lines.ts";
import { GitError, type GrepHit, type GrepRead, type GrepRequest } from "#ports/git.ts";
import { filesOf, findUnknownIn, type MemoryState } from "#testing/memory-git/memory-state.ts";

export function grepMemory(state: MemoryState, request: GrepRequest): GrepRead {
  const unknown = findUnknownIn(state, [request.commit]);
  if (unknown !== undefined) return unknown;
  const { hitsMax, isSkipped, signal } = request;
  const folded = readGrepText(request.text);
  if (signal?.aborted === true) throw new GitError("cancelled", "the call was cancelled");
  const found = filesBelow(state, request).flatMap(({ path, content }) => {
    const hits = isBinary(content) ? [] : linesWith({ path, content }, folded, hitsMax + 1);
    return hits.length === 0 ? [] : [{ path, content, hits }];
  });
  const isNamedOnly = ({ path }: { readonly path: string }): boolean => isSkipped(diffPathOf(path).text);
  const files = found.filter((file) => !isNamedOnly(file));
  const skipped = found.filter(isNamedOnly);
  const near = files.slice(0, grepLimits.filesMax);
  const isShown = ({ path, content }: (typeof near)[number]): boolean =>
    content.length <= grepLimits.fileBytesMax && !path.includes("\n");
  const hits: readonly GrepHit[] = near.filter(isShown).flatMap((file) => file.hits);
  return {
    kind: "hits",
    hits: hits.slice(0, hitsMax),
    alsoIn: [...near.filter((file) => !isShown(file)), ...skipped.slice(0, grepLimits.filesMax)].map(({ path }) =>
      diffPathOf(path),
    ),
    isCut: near.length < files.length || skipped.length > grepLimits.filesMax || hits.length > hitsMax,
  };
}

/** Plain files alone, in the order of their bytes. */
function filesBelow(
  state: MemoryState,
  { commit, folder }: GrepRequest,
): readonly { readonly path: string; readonly content: Uint8Array }[] {
  const below = folder === "" ? "" : readPath(folder);
  if (below === undefined) return [];
  return [...filesOf(state, commit)]
    .filter(([path, { mode }]) => mode.startsWith("100") && isBelow(path, below))
    .toSorted(([left], [right]) => compareText(left, right))
    .map(([path, { id }]) => ({ path, content: state.hub.objects.blobs.get(id) ?? new Uint8Array() }));
}

function isBelow(path: string, folder: string): boolean {
  return folder === "" || path === folder || path.startsWith(`${folder}/`);
}

/** Git takes a file with a NUL this early for binary. */
const binaryBytes = 8_000;

function isBinary(content: Uint8Array): boolean {
  return content.subarray(0, binaryBytes).includes(0);
}
