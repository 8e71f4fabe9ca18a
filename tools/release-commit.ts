import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gitFreeEnvironment, readWorkTree } from "./work-tree.ts";

export interface ReleaseOptions {
  readonly root: string;
  /** A path from the root, and how its content is made. */
  readonly path: string;
  readonly build: () => Promise<Uint8Array>;
  readonly message: string;
}

export type ReleaseOutcome =
  | { readonly kind: "committed"; readonly commit: string; readonly parent: string; readonly bytes: number }
  | { readonly kind: "refused"; readonly why: string };

/**
 * Commits what HEAD has and one built file on top, and leaves branch, index and work tree as they are. The commit is on
 * no branch: its id is all there is of it until it is pushed.
 */
export async function commitRelease({ root, path, build, message }: ReleaseOptions): Promise<ReleaseOutcome> {
  const tree = await readWorkTree(root);
  if (tree.kind !== "seen") return { kind: "refused", why: tree.why };
  // The file is built from the work tree, and would not be what the commit's sources say.
  if (tree.entries.size > 0) {
    return { kind: "refused", why: `commit or remove these first:\n  ${[...tree.entries.keys()].join("\n  ")}` };
  }
  const contents = await build();
  const folder = mkdtempSync(join(tmpdir(), "drover-release-"));
  try {
    const env = { ...gitFreeEnvironment(), GIT_INDEX_FILE: join(folder, "index") };
    const git = (args: readonly string[], input: Uint8Array | string = ""): string =>
      execFileSync("git", args, { cwd: root, env, input, encoding: "utf8", stdio: ["pipe", "pipe", "inherit"] }).trim();
    const parent = git(["rev-parse", "HEAD"]);
    git(["read-tree", parent]);
    const blob = git(["hash-object", "-w", "--stdin"], contents);
    git(["update-index", "--add", "--cacheinfo", `100644,${blob},${path}`]);
    const commit = git(["commit-tree", git(["write-tree"]), "-p", parent], message);
    return { kind: "committed", commit, parent, bytes: contents.byteLength };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
