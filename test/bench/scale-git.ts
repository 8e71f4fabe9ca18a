import { createHash } from "node:crypto";
import { HeadSha, PatchId } from "#core/model/ids.ts";
import { treeIdOf } from "#git/tree-id.ts";
import type { Git, Mirror } from "#ports/git.ts";

/**
 * Git that knows every commit at once. A new head costs Drover some processes of git, whatever else there is; they would
 * hide what is measured here, and the forge's repositories are in another process's memory.
 */
export function createKnowingGit(): Git {
  return {
    findMirror: async (key) => mirrorOf(key),
    ensureMirror: async ({ key }) => mirrorOf(key),
    removeWorktree: refuse,
    pruneWorktrees: async () => 0,
  };
}

function mirrorOf(key: string): Mirror {
  return {
    key,
    fetchRefs: async ({ refs }) => refs.map((ref) => ({ ref, commit: someCommit })),
    findTree: async (commit) => treeIdOf(commit),
    patchOf: async ({ head }) => PatchId.parse(createHash("sha256").update(head).digest("hex").slice(0, idCharacters)),
    ancestry: refuse,
    mergeBase: refuse,
    diff: refuse,
    readFile: refuse,
    listTree: refuse,
    grep: refuse,
    logOf: refuse,
    addWorktree: refuse,
    importResult: refuse,
    commitTree: refuse,
    push: refuse,
  };
}

const idCharacters = 40;
const someCommit = HeadSha.parse("5".repeat(idCharacters));

async function refuse(): Promise<never> {
  throw new Error("nobody should have asked git for this");
}
