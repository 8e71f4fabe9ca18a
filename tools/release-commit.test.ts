import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { commitRelease } from "./release-commit.ts";
import { gitFreeEnvironment } from "./work-tree.ts";

let root = "";

beforeEach(() => {
  for (const role of ["AUTHOR", "COMMITTER"]) {
    vi.stubEnv(`GIT_${role}_NAME`, "A");
    vi.stubEnv(`GIT_${role}_EMAIL`, "a@example.com");
  }
  root = mkdtempSync(join(tmpdir(), "drover-release-test-"));
  git("init", "--quiet");
  writeFileSync(join(root, "action.yml"), "main: action/index.js\n");
  git("add", ".");
  git("commit", "--quiet", "--message", "first");
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

function git(...args: readonly string[]): string {
  return execFileSync("git", args, { cwd: root, env: gitFreeEnvironment(), encoding: "utf8", stdio: "pipe" }).trim();
}

async function release() {
  return await commitRelease({
    root,
    path: "action/index.js",
    build: async () => Buffer.from("built"),
    message: "release\n",
  });
}

describe("a release", () => {
  it("is a commit on top of HEAD that has the built file beside all others", async () => {
    const outcome = await release();
    if (outcome.kind !== "committed") throw new Error(outcome.why);
    expect(git("rev-parse", `${outcome.commit}^`)).toBe(git("rev-parse", "HEAD"));
    expect(git("ls-tree", "-r", "--name-only", outcome.commit).split("\n")).toEqual(["action.yml", "action/index.js"]);
    expect(git("show", `${outcome.commit}:action/index.js`)).toBe("built");
  });

  it("leaves branch, index and work tree as they were", async () => {
    const before = git("rev-parse", "HEAD");
    await release();
    expect(git("rev-parse", "HEAD")).toBe(before);
    expect(git("status", "--porcelain")).toBe("");
  });

  it.each(["action.yml", "src.ts"])("is refused while %s is not committed as it stands", async (name) => {
    writeFileSync(join(root, name), "other\n");
    expect(await release()).toEqual({ kind: "refused", why: `commit or remove these first:\n  ${name}` });
  });
});
