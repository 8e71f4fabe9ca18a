import type { BytePath } from "#git/byte-path.ts";
import type { Tree } from "#git/folder-source.ts";
import type { MirrorContext } from "#git/real-git-context.ts";
import { mustRun } from "#git/run-git.ts";
import { type Cancellable, GitError } from "#ports/git.ts";

/** No file system has longer link targets: such a link cannot be followed. */
const linkBytesMax = 4096;

export async function readLinks(
  context: MirrorContext,
  tree: Tree,
  call: Cancellable,
): Promise<ReadonlyMap<BytePath, string>> {
  const links = [...tree].filter(([, { mode, bytes }]) => mode === "120000" && bytes <= linkBytesMax);
  if (links.length === 0) return new Map();
  const { stdout } = await mustRun(context.runGit, {
    args: ["cat-file", "--batch"],
    gitDir: context.gitDir,
    input: Buffer.from(links.map(([, { id }]) => `${id}\n`).join("")),
    signal: call.signal,
  });
  const targets = new Map<BytePath, string>();
  let at = 0;
  for (const [path, { bytes }] of links) {
    const start = stdout.indexOf("\n", at) + 1;
    targets.set(path, stdout.toString("latin1", start, start + bytes));
    at = start + bytes + 1;
  }
  return targets;
}

/** Answers with ids, in order. Each content has its length before it, so none can end early. */
export async function writeBlobs(
  context: MirrorContext,
  contents: readonly Uint8Array[],
  call: Cancellable,
): Promise<readonly string[]> {
  const parts = contents.flatMap((content, index) => [
    Buffer.from(`blob\nmark :${index + 1}\ndata ${content.length}\n`),
    content,
    Buffer.from(`\nget-mark :${index + 1}\n`),
  ]);
  const { stdout } = await mustRun(context.runGit, {
    args: ["fast-import", "--quiet", "--done"],
    gitDir: context.gitDir,
    input: Buffer.concat([...parts, Buffer.from("done\n")]),
    signal: call.signal,
  });
  const ids = stdout.toString().split("\n").slice(0, -1);
  if (ids.length !== contents.length) throw new GitError("failed", "git fast-import did not name every blob");
  return ids;
}
