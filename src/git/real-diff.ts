import { parseDiff } from "#core/diff/diff.ts";
import { patchFingerprint } from "#core/diff/patch-fingerprint.ts";
import { PatchId } from "#core/model/ids.ts";
import type { MirrorContext } from "#git/real-git-context.ts";
import { realMergeBase } from "#git/real-history.ts";
import { mustRun } from "#git/run-git.ts";
import type { Cancellable, CommitPair, DiffRead, MergeBase } from "#ports/git.ts";

/** Approvals of a larger change are asked for again. */
export const patchBytesMax = 64 * 1024 * 1024;

type DiffRequest = Cancellable & CommitPair & { readonly bytesMax: number };

export async function readRealDiff(context: MirrorContext, request: DiffRequest): Promise<DiffRead> {
  return await diffFrom(context, request, await realMergeBase(context, request));
}

export async function realPatchOf(context: MirrorContext, request: Cancellable & CommitPair): Promise<PatchId | null> {
  const mergeBase = await realMergeBase(context, request);
  return patchIdOf(mergeBase, await diffFrom(context, { ...request, bytesMax: patchBytesMax }, mergeBase));
}

async function diffFrom(context: MirrorContext, request: DiffRequest, mergeBase: MergeBase): Promise<DiffRead> {
  if (mergeBase.kind !== "found") return mergeBase;
  const ran = await mustRun(context.runGit, {
    args: [...diffArguments, mergeBase.commit, request.head, "--"],
    gitDir: context.gitDir,
    stdoutBytesMax: request.bytesMax,
    mayCut: true,
    signal: request.signal,
  });
  if (ran.isCut) return { kind: "over_limit", limit: "bytesMax", max: request.bytesMax };
  return { kind: "diff", bytes: new Uint8Array(ran.stdout), mergeBase: mergeBase.commit };
}

/** Fingerprints of patches are stored: another option is another patch. */
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
  // Beyond it git looks for no edited files among renames; the same on every machine.
  "-l1000",
  "--no-relative",
  "--submodule=short",
  "--ignore-submodules=none",
  "--src-prefix=a/",
  "--dst-prefix=b/",
  "--end-of-options",
];

/** Null unless certain: of several merge bases one would be chosen, and a merge could be built to turn that choice. */
export function patchIdOf(mergeBase: MergeBase, read: DiffRead): PatchId | null {
  if (mergeBase.kind !== "found" || mergeBase.all.length !== 1 || read.kind !== "diff") return null;
  const outcome = parseDiff(read.bytes, { prefixes: { old: "a/", new: "b/" } });
  if (outcome.kind !== "diff") return null;
  const fingerprint = patchFingerprint(outcome.diff);
  return fingerprint.kind === "known" ? PatchId.parse(fingerprint.sha256) : null;
}
