import { parseDiff } from "#core/diff/diff.ts";
import { patchFingerprint } from "#core/diff/patch-fingerprint.ts";
import { PatchId } from "#core/model/ids.ts";
import type { DiffRead, MergeBase } from "#ports/git.ts";

/** Approvals of a larger change are asked for again. */
export const patchBytesMax = 64 * 1024 * 1024;

/** Null unless certain: of several merge bases one would be chosen, and a merge could be built to turn that choice. */
export function patchIdOf(mergeBase: MergeBase, read: DiffRead): PatchId | null {
  if (mergeBase.kind !== "found" || mergeBase.all.length !== 1 || read.kind !== "diff") return null;
  const outcome = parseDiff(read.bytes, { prefixes: { old: "a/", new: "b/" } });
  if (outcome.kind !== "diff") return null;
  const fingerprint = patchFingerprint(outcome.diff);
  return fingerprint.kind === "known" ? PatchId.parse(fingerprint.sha256) : null;
}
