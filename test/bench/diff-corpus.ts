import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/**
 * Diffs of about so many megabytes, made by git from real code: packages of `node_modules` that ship a file in two
 * module formats give pairs that differ as two versions do. One pass over them makes about one megabyte; larger diffs
 * repeat it under other folder names.
 */
export function makeDiffs(megabytes: readonly number[]): readonly Uint8Array[] {
  const folder = mkdtempSync(join(tmpdir(), "drover-bench-"));
  try {
    fillRepository(folder);
    return megabytes.map((size) => repeatDiff(folder, size * 1e6));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function fillRepository(folder: string): void {
  git(folder, "init", "--quiet", ".");
  const pairs = findPairs("node_modules");
  if (pairs.length === 0) throw new Error("node_modules holds no pairs of files to compare");
  for (const { old, next } of pairs) place(folder, old, next);
  git(folder, "add", "--all");
  for (const { next } of pairs) place(folder, next, next);
}

function place(folder: string, from: string, name: string): void {
  const target = join(folder, name.replaceAll("node_modules", "packages"));
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(from, target);
}

interface Pair {
  readonly old: string;
  readonly next: string;
}

function findPairs(folder: string): readonly Pair[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".cjs"))
    .sort();
  return names.flatMap((name) => {
    const old = join(folder, name);
    const next = [".js", ".mjs"].map((ending) => old.replace(/\.cjs$/, ending)).find((other) => existsSync(other));
    return next === undefined ? [] : [{ old, next }];
  });
}

function repeatDiff(folder: string, bytes: number): Uint8Array {
  const parts: Buffer[] = [];
  // "About" so many: another pass would overshoot a small diff by half.
  for (let size = 0, copy = 1; size < bytes * 0.9; copy += 1) {
    const part = git(folder, "diff", `--src-prefix=a/copy-${copy}/`, `--dst-prefix=b/copy-${copy}/`);
    parts.push(part);
    size += part.length;
  }
  return new Uint8Array(Buffer.concat(parts));
}

function git(folder: string, ...argv: readonly string[]): Buffer {
  return execFileSync("git", [...argv], {
    cwd: folder,
    env: { PATH: process.env["PATH"], GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1", LC_ALL: "C" },
    maxBuffer: 1024 * 1024 * 1024,
    stdio: ["ignore", "pipe", "pipe"],
  });
}
