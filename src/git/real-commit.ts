import { HeadSha } from "#core/model/ids.ts";
import { commitText } from "#git/commit-text.ts";
import type { MirrorContext } from "#git/real-git-context.ts";
import { findUnknown } from "#git/real-history.ts";
import { mustRun } from "#git/run-git.ts";
import { type CommitRequest, GitError } from "#ports/git.ts";

export async function commitRealTree(context: MirrorContext, request: CommitRequest): Promise<HeadSha> {
  const unknown = await findUnknown(context, request.parents);
  if (unknown !== undefined || !(await hasTree(context, request.tree))) {
    throw new GitError("bad_request", "the mirror lacks the tree or a parent of the commit");
  }
  const { stdout } = await mustRun(context.runGit, {
    args: ["hash-object", "-t", "commit", "-w", "--stdin"],
    gitDir: context.gitDir,
    input: Buffer.from(commitText(request)),
  });
  return HeadSha.parse(stdout.toString().trim());
}

async function hasTree(context: MirrorContext, tree: string): Promise<boolean> {
  const { stdout } = await mustRun(context.runGit, {
    args: ["cat-file", "--batch-check=%(objecttype)"],
    gitDir: context.gitDir,
    input: Buffer.from(`${tree.replaceAll("\n", "")}\n`),
  });
  return stdout.toString() === "tree\n";
}
