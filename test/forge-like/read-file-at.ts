import { parseDiff } from "#core/diff/diff.ts";
import { hunksOf } from "#core/diff/hunk.ts";
import type { HeadSha } from "#core/model/ids.ts";
import type { Repository, World } from "#forges/sandbox/world.ts";

/**
 * A text file as it is in a commit. A host has no way to read one, so it is asked for the diff of a commit that takes
 * the file away: that shows all of it. No ref ever points to such a commit.
 */
export async function readFileAt(
  { world }: { readonly world: World },
  repository: Repository,
  { commit, path }: { readonly commit: HeadSha; readonly path: string },
): Promise<Buffer | undefined> {
  const { host } = world;
  const { name } = repository.ref;
  try {
    const without = await host.commit({
      repository: name,
      parents: [commit],
      changes: { [path]: null },
      message: "Read a file",
      author: { name: "sandbox", email: "sandbox@localhost" },
      at: world.now(),
    });
    const read = await host.diff({ repository: name, base: commit, head: without });
    return read === undefined ? undefined : contentOf(read.bytes, path);
  } catch {
    // There is nothing to take away: no such file, or no such commit.
    return undefined;
  }
}

function contentOf(bytes: Uint8Array, path: string): Buffer | undefined {
  const outcome = parseDiff(bytes);
  const diff = outcome.kind === "diff" ? outcome.diff : undefined;
  const file = diff?.files.find((candidate) => candidate.path === path);
  if (diff === undefined || file === undefined) return undefined;
  const lines: string[] = [];
  for (const { bodyStart, end } of hunksOf(diff, file)) {
    lines.push(...Buffer.from(diff.bytes.subarray(bodyStart, end)).toString("utf8").split("\n"));
  }
  const isOpenEnded = lines.some((line) => line.startsWith("\\"));
  const text = lines.filter((line) => line.startsWith("-")).map((line) => line.slice(1));
  return Buffer.from(text.join("\n") + (isOpenEnded || text.length === 0 ? "" : "\n"));
}
