import type { DiffFile } from "#core/diff/diff-file.ts";
import { readPullDiff } from "#forge-like/pull-diff.ts";
import { repositoryUrl } from "#gitea-like/rest/repository-body.ts";
import type { PullSight } from "#gitea-like/sight.ts";

export async function fileBodies(pull: PullSight): Promise<readonly object[]> {
  return ((await readPullDiff(pull))?.diff.files ?? []).map((file) => fileBody(pull, file));
}

function fileBody({ sight, entry, state }: PullSight, file: DiffFile): object {
  const { name } = entry.ref.repository;
  const { sha } = state.head;
  const path = file.path.split("/").map(encodeURIComponent).join("/");
  return {
    filename: file.path,
    ...(file.kind === "renamed" && file.oldPath !== undefined && { previous_filename: file.oldPath.text }),
    status: words[file.kind],
    additions: file.addedLines,
    deletions: file.removedLines,
    changes: file.addedLines + file.removedLines,
    html_url: `${sight.url}/${name}/src/commit/${sha}/${path}`,
    contents_url: `${repositoryUrl(sight, name)}/contents/${path}?ref=${sha}`,
    raw_url: `${sight.url}/${name}/raw/commit/${sha}/${path}`,
  };
}

const words = {
  added: "added",
  deleted: "deleted",
  modified: "changed",
  renamed: "renamed",
  copied: "copied",
  mode_changed: "changed",
} as const;
