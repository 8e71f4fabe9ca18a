import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A tree entry of a repository that a test makes. Names are byte strings: each character is one byte. */
export interface Entry {
  readonly mode: "100644" | "100755" | "120000" | "160000";
  readonly content: Buffer;
}

export type Tree = ReadonlyMap<string, Entry>;

/** Runs git without anybody's configuration. */
export function git(folder: string, argv: readonly string[], input?: Uint8Array): Buffer {
  return execFileSync("git", [...argv], {
    cwd: folder,
    input: input ?? new Uint8Array(),
    env: { ...gitEnvironment, PATH: process.env["PATH"] },
    maxBuffer: 256 * 1024 * 1024,
    stdio: ["pipe", "pipe", "pipe"],
  });
}

const gitEnvironment = {
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "A",
  GIT_AUTHOR_EMAIL: "a@example.invalid",
  GIT_COMMITTER_NAME: "A",
  GIT_COMMITTER_EMAIL: "a@example.invalid",
  GIT_AUTHOR_DATE: "2001-01-01T00:00:00Z",
  GIT_COMMITTER_DATE: "2001-01-01T00:00:00Z",
  LC_ALL: "C",
  HOME: "/nonexistent",
};

/** Calls back with a new folder and removes it afterwards. */
export function inFolder<T>(use: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "drover-diff-"));
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Makes a repository whose branches `base` and `head` hold the two trees. */
export function makeRepository(folder: string, { base, head }: { readonly base: Tree; readonly head: Tree }): void {
  git(folder, ["init", "--quiet", "--initial-branch=base", "."]);
  git(folder, ["fast-import", "--quiet"], Buffer.concat([commit("base", base), commit("head", head)]));
}

function commit(branch: string, tree: Tree): Buffer {
  const message = Buffer.from(branch, "latin1");
  const parts: Buffer[] = [
    `commit refs/heads/${branch}\ncommitter A <a@example.invalid> 978307200 +0000\ndata ${message.length}\n${branch}\n`,
    branch === "head" ? "from refs/heads/base\ndeleteall\n" : "",
  ].map((text) => Buffer.from(text, "latin1"));
  for (const [name, { mode, content }] of tree) {
    const isSubmodule = mode === "160000";
    const data = isSubmodule ? content.toString("latin1") : "inline";
    parts.push(Buffer.from(`M ${mode} ${data} ${quoteName(name)}\n`, "latin1"));
    if (!isSubmodule) parts.push(Buffer.from(`data ${content.length}\n`), content, Buffer.from("\n"));
  }
  return Buffer.concat(parts);
}

function quoteName(name: string): string {
  const escaped = Array.from(name, (letter) => `\\${letter.charCodeAt(0).toString(8).padStart(3, "0")}`);
  return `"${escaped.join("")}"`;
}

export function blobId({ mode, content }: Entry): string {
  if (mode === "160000") return content.toString("latin1");
  return createHash("sha1").update(`blob ${content.length}\0`).update(content).digest("hex");
}
