import { HeadSha } from "#core/model/ids.ts";
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

/** Exactly as git stores it, so that the same request has the same name everywhere. */
export function commitText({ tree, parents, message, identity, at }: CommitRequest): string {
  if (!isPlainIdentity(identity.name) || !isPlainIdentity(identity.email) || /\0|\p{Surrogate}/u.test(message)) {
    throw new GitError("bad_request", "a commit's identity or message holds what git cannot store");
  }
  const person = `${identity.name} <${identity.email}> ${Math.floor(at / 1000)} +0000`;
  const header = [
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${person}`,
    `committer ${person}`,
  ];
  return `${header.join("\n")}\n\n${message.endsWith("\n") ? message : `${message}\n`}`;
}

function isPlainIdentity(text: string): boolean {
  return text.trim() === text && text !== "" && !/[<>\p{Cc}\p{Surrogate}]/u.test(text);
}
