import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { changesBetween, gitFreeEnvironment, readWorkTree } from "./work-tree.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "drover-work-tree-"));
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}

function git(...args: readonly string[]): void {
  const who = ["-c", "user.name=A", "-c", "user.email=a@example.com"];
  execFileSync("git", [...who, ...args], { cwd: folder, env: gitFreeEnvironment(), stdio: "pipe" });
}

async function entries(): Promise<ReadonlyMap<string, string>> {
  const tree = await readWorkTree(folder);
  expect(tree.kind).toBe("seen");
  return tree.kind === "seen" ? tree.entries : new Map();
}

/** What the tree check would complain about if this happened during a run. */
async function changesBy(change: () => void): Promise<readonly string[]> {
  const before = await entries();
  change();
  return changesBetween(before, await entries());
}

describe("a checkout", () => {
  beforeEach(() => {
    git("init", "--quiet");
    write(".gitignore", "ignored\n");
    write("kept", "1\n");
    git("add", ".");
    git("commit", "--quiet", "--message", "first");
    write("dirty", "already here\n");
  });

  it.each<[string, string, () => void]>([
    ["a new file", "new", () => write("new", "")],
    ["a changed file", "kept", () => write("kept", "2\n")],
    ["a deleted file", "kept", () => rmSync(join(folder, "kept"))],
    ["a file that was dirty before and changed again", "dirty", () => write("dirty", "other\n")],
    ["a mode", "kept", () => chmodSync(join(folder, "kept"), 0o755)],
    ["something staged", "dirty", () => git("add", "dirty")],
    ["a name beyond ASCII", "grün und blau", () => write("grün und blau", "")],
  ])("shows %s", async (_what, path, change) => {
    expect(await changesBy(change)).toEqual([path]);
  });

  it("is the same if nothing happened, or only to what git ignores, or if a file came back", async () => {
    expect(
      await changesBy(() => {
        write("ignored", "x");
        write("kept", "2\n");
        write("kept", "1\n");
      }),
    ).toEqual([]);
  });

  it("is found although a git hook has tied the environment to another repository", async () => {
    vi.stubEnv("GIT_DIR", "/nowhere");
    vi.stubEnv("GIT_INDEX_FILE", "/nowhere/index");
    expect([...(await entries()).keys()]).toEqual(["dirty"]);
  });

  it("is unreadable if git refuses it, which is not the same as no checkout", async () => {
    rmSync(join(folder, ".git", "HEAD"));
    expect((await readWorkTree(folder)).kind).toBe("unreadable");
  });
});

describe("a plain folder", () => {
  it("is no checkout", async () => {
    vi.stubEnv("GIT_CEILING_DIRECTORIES", tmpdir());
    expect((await readWorkTree(folder)).kind).toBe("no_checkout");
  });
});
