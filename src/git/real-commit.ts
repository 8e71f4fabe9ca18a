import { HeadSha } from "#core/model/ids.ts";
import { commitText } from "#git/commit-text.ts";
import { findUnknown } from "#git/real-history.ts";
import type { MirrorPlace } from "#git/real-place.ts";
import { mustRun } from "#git/run-git.ts";
import { type CommitRequest, GitError } from "#ports/git.ts";

export async function commitRealTree(place: MirrorPlace, request: CommitRequest): Promise<HeadSha> {
  const unknown = await findUnknown(place, request.parents);
  if (unknown !== undefined || !(await hasTree(place, request.tree))) {
    throw new GitError("bad_request", "the mirror lacks the tree or a parent of the commit");
  }
  const { stdout } = await mustRun(place.runGit, {
    args: ["hash-object", "-t", "commit", "-w", "--stdin"],
    gitDir: place.gitDir,
    input: Buffer.from(commitText(request)),
  });
  return HeadSha.parse(stdout.toString().trim());
}

async function hasTree(place: MirrorPlace, tree: string): Promise<boolean> {
  const { stdout } = await mustRun(place.runGit, {
    args: ["cat-file", "--batch-check=%(objecttype)"],
    gitDir: place.gitDir,
    input: Buffer.from(`${tree.replaceAll("\n", "")}\n`),
  });
  return stdout.toString() === "tree\n";
}
