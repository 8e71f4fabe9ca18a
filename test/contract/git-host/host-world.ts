import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { HeadSha } from "#core/model/ids.ts";
import { type Instant, instant } from "#core/model/instant.ts";
import { createRealGit } from "#git/real-git.ts";
import { createRealHost } from "#git/real-host.ts";
import type { Git, Mirror } from "#ports/git.ts";
import type { GitHost, HostChanges } from "#ports/git-host.ts";
import { createMemoryGit } from "#testing/memory-git/memory-git.ts";
import { createMemoryHost } from "#testing/memory-git/memory-host.ts";
import { createMemoryHub } from "#testing/memory-git/memory-hub.ts";

/** A host, and Drover's own git beside it. */
export interface HostWorld {
  readonly host: GitHost;
  readonly git: Git;
  close(): void;
}

export const hostWorlds: readonly { readonly name: string; readonly open: () => Promise<HostWorld> }[] = [
  { name: "real git", open: realHostWorld },
  { name: "git in memory", open: memoryHostWorld },
];

export async function memoryHostWorld(): Promise<HostWorld> {
  const hub = createMemoryHub();
  return { host: createMemoryHost(hub), git: createMemoryGit(hub), close: () => undefined };
}

export interface RealHostWorld extends HostWorld {
  /** Where the repositories lie. */
  readonly folder: string;
}

export async function realHostWorld(): Promise<RealHostWorld> {
  const root = mkdtempSync(join(tmpdir(), "drover-host-"));
  const folder = join(root, "host");
  const searchPath = process.env["PATH"] ?? "";
  return {
    folder,
    host: await createRealHost({ folder, searchPath }),
    git: await createRealGit({ folder: join(root, "own"), searchPath, protocols: ["file"], env: {} }),
    close: () => rmSync(root, { recursive: true, force: true }),
  };
}

export const repository = "ann/plums";
export const main = "refs/heads/main";
export const author = { name: "Ann Author", email: "ann@example.invalid" };

export function at(minute: number): Instant {
  return instant(1_700_000_000_000 + minute * 60_000);
}

/** What somebody does; what is left out is not what the test is about. */
export interface Made {
  readonly repository?: string;
  readonly parents?: readonly HeadSha[];
  readonly changes?: HostChanges;
  readonly minute?: number;
  readonly message?: string;
}

export async function commitTo(host: GitHost, { minute = 0, ...made }: Made): Promise<HeadSha> {
  const usual = { repository, parents: [], changes: {}, message: "change", author, at: at(minute) };
  return await host.commit({ ...usual, ...made });
}

type Merge = Awaited<ReturnType<GitHost["mergeCommit"]>>;

export async function mergeOf(host: GitHost, pair: { readonly base: HeadSha; readonly head: HeadSha }): Promise<Merge> {
  return await host.mergeCommit({ repository, ...pair, message: "merge", author, at: at(50) });
}

export function merged(merge: Merge): HeadSha {
  if (merge.kind !== "merged") throw new Error(merge.kind);
  return merge.commit;
}

/** All files of a commit as Drover's own git shows them. */
export async function filesAt(world: HostWorld, commit: HeadSha): Promise<Readonly<Record<string, string>>> {
  const mirror = await mirrorWith(world, commit);
  const tree = await mirror.listTree({ commit, folder: "", entriesMax: 1000 });
  if (tree.kind !== "tree") throw new Error(tree.kind);
  const files: Record<string, string> = {};
  for (const { path } of tree.entries) {
    const file = await mirror.readFile({ commit, path: path.text, bytesMax: 100_000 });
    files[path.text] = file.kind === "file" ? Buffer.from(file.bytes).toString() : file.kind;
  }
  return files;
}

async function mirrorWith({ host, git }: HostWorld, commit: HeadSha): Promise<Mirror> {
  const ref = "refs/pull/99/head";
  await host.setRef({ repository, ref, to: commit });
  const remote = host.remoteOf(repository);
  const mirror = await git.ensureMirror({ key: "files", remote });
  await mirror.fetchRefs({ remote, refs: [ref] });
  await host.setRef({ repository, ref, to: null });
  return mirror;
}
