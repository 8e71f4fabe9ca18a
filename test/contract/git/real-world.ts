import { execFileSync } from "node:child_process";
import { chmodSync, linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { digestOf } from "#core/model/digest.ts";
import { HeadSha } from "#core/model/ids.ts";
import { createRealGit, type RealGitOptions } from "#git/real-git.ts";
import { copyOf } from "#git/real-mirror.ts";
import type { MemoryChanges } from "#testing/memory-git/memory-hub.ts";
import { plainGit } from "./plain-git.ts";
import { at, author, type Made, type Planted, type RemoteHand, type World } from "./world.ts";

export interface RealWorld extends World {
  /** Everything of this world lies in it. */
  readonly root: string;
  /** Drover's own folder. */
  readonly own: string;
  createRemote(initOptions?: readonly string[]): Promise<RealRemoteHand>;
}

export interface RealRemoteHand extends RemoteHand {
  readonly folder: string;
}

export async function realWorld(options: Partial<RealGitOptions> = {}): Promise<RealWorld> {
  const root = mkdtempSync(join(tmpdir(), "drover-git-"));
  const own = join(root, "own");
  const searchPath = process.env["PATH"] ?? "";
  const git = await createRealGit({ folder: own, searchPath, protocols: ["file"], env: {}, ...options });
  let count = 0;
  return {
    git,
    root,
    own,
    createRemote: async (initOptions = []) => {
      count += 1;
      return realRemote(join(root, `remote-${count}.git`), initOptions);
    },
    mirroredRef: (key, ref) => findIn(join(own, "mirrors", `${digestOf(key)}.git`), copyOf(ref)),
    folders: {
      plant: (folder, path, what) => plant({ folder, root }, path, what),
      remove: (folder, path) => rmSync(join(folder, path), { recursive: true, force: true }),
      read: (folder, path) => readIfThere(join(folder, path)),
    },
    close: () => rmSync(root, { recursive: true, force: true }),
  };
}

function realRemote(folder: string, initOptions: readonly string[]): RealRemoteHand {
  mkdirSync(folder);
  plainGit(folder, ["init", "--quiet", "--bare", "--initial-branch=main", ...initOptions, "."]);
  return {
    folder,
    remote: { url: folder, credential: null },
    commit: async (made) => makeCommit(folder, made),
    setRef: async (ref, to) => {
      plainGit(folder, to === null ? ["update-ref", "-d", ref] : ["update-ref", ref, to]);
    },
    refOf: async (ref) => findIn(folder, ref) ?? null,
    closeDoors: () => {
      mkdirSync(join(folder, "hooks"), { recursive: true });
      writeFileSync(join(folder, "hooks", "pre-receive"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    },
  };
}

function findIn(folder: string, ref: string): HeadSha | undefined {
  const found = plainGit(folder, ["for-each-ref", "--format=%(objectname)%09%(refname)"]).toString().split("\n");
  const line = found.find((each) => each.endsWith(`\t${ref}`));
  return line === undefined ? undefined : HeadSha.parse(line.split("\t")[0]);
}

/** One commit through `git fast-import`, which takes any name and makes no folder. */
function makeCommit(folder: string, { parents = [], changes = {}, minute = 0, message = "change" }: Made): HeadSha {
  const text = Buffer.from(message.endsWith("\n") ? message : `${message}\n`);
  const person = `${author.name} <${author.email}> ${at(minute) / 1000} +0000`;
  const [first, ...others] = parents;
  const lines = [...(first === undefined ? [] : [`from ${first}`]), ...others.map((parent) => `merge ${parent}`)];
  const head = `commit refs/made/last\nmark :1\nauthor ${person}\ncommitter ${person}\ndata ${text.length}\n`;
  const input = Buffer.concat([
    Buffer.from(`reset refs/made/last\n\n${head}`),
    text,
    Buffer.from(lines.map((line) => `${line}\n`).join("")),
    ...changeLines(changes),
    Buffer.from("\nget-mark :1\ndone\n"),
  ]);
  return HeadSha.parse(plainGit(folder, ["fast-import", "--quiet", "--force", "--done"], { input }).toString().trim());
}

function changeLines(changes: MemoryChanges): readonly Uint8Array[] {
  return Object.entries(changes).flatMap(([path, change]) => {
    if (change === null) return [Buffer.from(`D ${quoted(path)}\n`)];
    const { mode, content } = typeof change === "string" ? { mode: "100644", content: change } : change;
    if (mode === "160000") return [Buffer.from(`M 160000 ${Buffer.from(content).toString()} ${quoted(path)}\n`)];
    const bytes = Buffer.from(content);
    return [Buffer.from(`M ${mode} inline ${quoted(path)}\ndata ${bytes.length}\n`), bytes, Buffer.from("\n")];
  });
}

function quoted(path: string): string {
  return `"${Array.from(Buffer.from(path), (value) => `\\${value.toString(8).padStart(3, "0")}`).join("")}"`;
}

/** Node has no call of its own for it. */
const pipeProgram = "mkfifo";

function plant(
  { folder, root }: { readonly folder: string; readonly root: string },
  path: string | Uint8Array,
  what: Planted,
): void {
  const full = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path)]);
  if (typeof path === "string") mkdirSync(dirname(full.toString()), { recursive: true });
  if (typeof what !== "string" && what.kind === "folder") {
    mkdirSync(full, { recursive: true });
    return;
  }
  rmSync(full, { recursive: true, force: true });
  if (typeof what === "string") writeFileSync(full, what);
  else if (what.kind === "file") {
    writeFileSync(full, what.content);
    chmodSync(full, what.isExecutable === true ? 0o755 : 0o644);
  } else if (what.kind === "link") symlinkSync(what.target, full);
  else if (what.kind === "pipe") execFileSync(pipeProgram, [full.toString()]);
  else {
    writeFileSync(join(root, "secret"), "secret\n");
    linkSync(join(root, "secret"), full);
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
