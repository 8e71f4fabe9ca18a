import type { DiffFile } from "#core/diff/diff-file.ts";
import { hunksOf } from "#core/diff/hunk.ts";
import { type PullDiff, readPullDiff } from "#forge-like/pull-diff.ts";
import { repositoryUrl } from "#github-like/rest/repository-body.ts";
import type { PullSight } from "#github-like/sight.ts";

/** GitHub shows no more files than that of one pull. */
const filesMax = 3000;

export async function fileBodies(pull: PullSight): Promise<readonly object[]> {
  const read = await readPullDiff(pull);
  return (read?.diff.files ?? []).slice(0, filesMax).map((file) => fileBody(pull, read, file));
}

function fileBody({ sight, entry, state }: PullSight, read: PullDiff | undefined, file: DiffFile): object {
  const at = repositoryUrl(sight, entry.ref.repository.name);
  const path = encodeURIComponent(file.path);
  const patch = read === undefined ? undefined : patchOf(read, file);
  return {
    sha: file.newBlob?.padEnd(40, "0").slice(0, 40) ?? null,
    filename: file.path,
    status: words[file.kind],
    additions: file.addedLines,
    deletions: file.removedLines,
    changes: file.addedLines + file.removedLines,
    blob_url: `${at}/blob/${state.head.sha}/${path}`,
    raw_url: `${at}/raw/${state.head.sha}/${path}`,
    contents_url: `${at}/contents/${path}?ref=${state.head.sha}`,
    ...(patch !== undefined && { patch }),
    ...(file.kind === "renamed" && file.oldPath !== undefined && { previous_filename: file.oldPath.text }),
  };
}

const words = {
  added: "added",
  deleted: "removed",
  modified: "modified",
  renamed: "renamed",
  copied: "copied",
  mode_changed: "changed",
} as const;

/** The hunks without the lines that name the file. */
function patchOf({ diff, bytes }: PullDiff, file: DiffFile): string | undefined {
  const hunks = hunksOf(diff, file);
  const [first] = hunks;
  const last = hunks.at(-1);
  if (first === undefined || last === undefined) return undefined;
  return Buffer.from(bytes.subarray(first.start, last.end)).toString("utf8").replace(/\n$/, "");
}
