import { execFileSync } from "node:child_process";
import { decodeText } from "#core/diff/byte-scan.ts";
import { type Diff, parseDiff } from "#core/diff/diff.ts";

/** A change that somebody made, as git prints it. */
export interface RealDiff {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** A file as the change leaves it; null where there is none. */
  readonly readFile: (path: string) => Uint8Array | null;
}

const smallestBytes = 400;
const largestBytes = 2_000_000;

/**
 * Changes of this repository's own history, whole commits and the parts of them that lie in one folder: a young
 * repository has few small commits, and the parts are what small commits look like.
 */
export function realDiffs(countMax: number): readonly RealDiff[] {
  const commits = git("log", "--no-merges", "--format=%H").toString("utf8").trim().split("\n");
  const diffs = commits.flatMap((commit) => {
    const bytes = git("diff", "--no-color", "--no-ext-diff", "--full-index", `${commit}^`, commit);
    const readFile = (path: string): Uint8Array | null => {
      const content = git("cat-file", "blob", `${commit}:${path}`);
      return content.length === 0 ? null : new Uint8Array(content);
    };
    const whole = { name: commit.slice(0, 10), bytes, readFile };
    return [whole, ...partsOf(whole)];
  });
  const usable = diffs.filter(({ bytes }) => bytes.length >= smallestBytes && bytes.length <= largestBytes);
  const step = Math.max(1, usable.length / countMax);
  return Array.from(
    { length: Math.min(countMax, usable.length) },
    (_, index) => usable[Math.floor(index * step)],
  ).filter((diff) => diff !== undefined);
}

/** Changes of about these sizes, out of one that is larger: so many of its files, from the first on. */
export function cutDiffs(whole: Uint8Array, sizes: readonly number[]): readonly RealDiff[] {
  const { files } = parsed(whole);
  return sizes.flatMap((size) => {
    const last = files.findLast(({ end }) => end <= size);
    return last === undefined
      ? []
      : [{ name: `synthetic ${size}`, bytes: whole.subarray(0, last.end), readFile: () => null }];
  });
}

export function parsed(bytes: Uint8Array): Diff {
  const outcome = parseDiff(bytes);
  if (outcome.kind !== "diff") throw new Error(outcome.reason);
  return outcome.diff;
}

export function textOf(bytes: Uint8Array): string {
  return decodeText(bytes);
}

function partsOf({ name, bytes, readFile }: RealDiff): readonly RealDiff[] {
  const byFolder = new Map<string, Uint8Array[]>();
  for (const { path, start, end } of parsed(bytes).files) {
    const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), bytes.subarray(start, end)]);
  }
  if (byFolder.size < 2) return [];
  return Array.from(byFolder, ([folder, parts]) => ({
    name: `${name}:${folder}`,
    bytes: new Uint8Array(Buffer.concat(parts)),
    readFile,
  }));
}

function git(...argv: readonly string[]): Buffer {
  try {
    return execFileSync("git", [...argv], {
      env: { PATH: process.env["PATH"], GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1", LC_ALL: "C" },
      maxBuffer: 1024 * 1024 * 1024,
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch {
    // The first commit has no parent, and a shallow clone has no history.
    return Buffer.alloc(0);
  }
}
