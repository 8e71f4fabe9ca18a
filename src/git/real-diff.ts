import type { PatchId } from "#core/model/ids.ts";
import { patchBytesMax, patchIdOf } from "#git/patch-id.ts";
import { realMergeBase } from "#git/real-history.ts";
import type { MirrorPlace } from "#git/real-place.ts";
import { mustRun } from "#git/run-git.ts";
import type { Call, Comparison, DiffRead, MergeBase } from "#ports/git.ts";

type DiffRequest = Call & Comparison & { readonly bytesMax: number };

export async function readRealDiff(place: MirrorPlace, request: DiffRequest): Promise<DiffRead> {
  return await diffFrom(place, request, await realMergeBase(place, request));
}

export async function realPatchOf(place: MirrorPlace, request: Call & Comparison): Promise<PatchId | null> {
  const mergeBase = await realMergeBase(place, request);
  return patchIdOf(mergeBase, await diffFrom(place, { ...request, bytesMax: patchBytesMax }, mergeBase));
}

async function diffFrom(place: MirrorPlace, request: DiffRequest, mergeBase: MergeBase): Promise<DiffRead> {
  if (mergeBase.kind !== "found") return mergeBase;
  const ran = await mustRun(place.runGit, {
    args: [...diffArguments, mergeBase.commit, request.head, "--"],
    gitDir: place.gitDir,
    stdoutBytesMax: request.bytesMax,
    mayCut: true,
    signal: request.signal,
  });
  if (ran.isCut) return { kind: "over_limit", limit: "bytesMax", max: request.bytesMax };
  return { kind: "diff", bytes: new Uint8Array(ran.stdout), mergeBase: mergeBase.commit };
}

/** Fingerprints of patches are stored, so these stay as they are: another option is another patch. */
export const diffArguments: readonly string[] = [
  "diff-tree",
  "-r",
  "--patch",
  "--full-index",
  "--no-color",
  "--no-ext-diff",
  "--no-textconv",
  "--unified=3",
  "--inter-hunk-context=0",
  "--diff-algorithm=myers",
  "--indent-heuristic",
  "--find-renames=50%",
  // Beyond so many candidates git stops looking for edited files among them; the same on every machine.
  "-l1000",
  "--no-relative",
  "--submodule=short",
  "--ignore-submodules=none",
  "--src-prefix=a/",
  "--dst-prefix=b/",
  "--end-of-options",
];
