import type { HeadSha } from "#core/model/ids.ts";
import { type Instant, instant } from "#core/model/instant.ts";
import type { Git, Mirror, Remote, Worktree } from "#ports/git.ts";
import type { MemoryChanges } from "#testing/memory-git/memory-hub.ts";

/** One implementation of the port with everything around it that a test needs. */
export interface World {
  readonly git: Git;
  createRemote(): Promise<RemoteHand>;
  /** What the mirror of a key holds of a ref of the remote. */
  mirroredRef(key: string, ref: string): HeadSha | undefined;
  readonly folders: FolderHand;
  close(): void;
}

/** The other side of a remote: what people and forges do there. */
export interface RemoteHand {
  readonly remote: Remote;
  commit(made: Made): Promise<HeadSha>;
  /** Null takes the ref away. */
  setRef(ref: string, to: HeadSha | null): Promise<void>;
  refOf(ref: string): Promise<HeadSha | null>;
  /** From now on every push is refused. */
  closeDoors(): void;
}

/** A commit on top of the first parent. Minutes count from a fixed day; later minutes are later commits. */
export interface Made {
  readonly parents?: readonly HeadSha[];
  readonly changes?: MemoryChanges;
  readonly minute?: number;
  readonly message?: string;
}

/** What an agent does to a folder. Names given as bytes need not be UTF-8. */
export interface FolderHand {
  plant(folder: string, path: string | Uint8Array, what: Planted): void;
  remove(folder: string, path: string): void;
  read(folder: string, path: string): string | undefined;
}

export type Planted =
  | string
  | { readonly kind: "file"; readonly content: string | Uint8Array; readonly isExecutable?: boolean }
  | { readonly kind: "link"; readonly target: string }
  | { readonly kind: "pipe" }
  /** A second name for content that lies outside of the folder. */
  | { readonly kind: "hard_link" }
  | { readonly kind: "folder" };

export const identity = { name: "Drover", email: "drover@example.invalid" };
export const author = { name: "Ann Author", email: "ann@example.invalid" };
export const main = "refs/heads/main";

export function at(minute: number): Instant {
  return instant(1_700_000_000_000 + minute * 60_000);
}

/** A remote whose branch `main` is at one commit, and its mirror. */
export async function withMain(
  world: World,
  changes: MemoryChanges,
): Promise<{ readonly hand: RemoteHand; readonly first: HeadSha; readonly mirror: Mirror }> {
  const hand = await world.createRemote();
  const first = await hand.commit({ changes });
  await hand.setRef(main, first);
  return { hand, first, mirror: await world.git.ensureMirror({ key: "one", remote: hand.remote }) };
}

/** A branch of the name `side` at a commit, fetched. */
export async function fetchSide(mirror: Mirror, hand: RemoteHand, commit: HeadSha): Promise<HeadSha> {
  await hand.setRef("refs/heads/side", commit);
  await mirror.fetchRefs({ remote: hand.remote, refs: ["refs/heads/side"] });
  return commit;
}

export const roomy = { bytesMax: 10_000_000, entriesMax: 10_000 };

export async function worktreeAt(mirror: Mirror, commit: HeadSha, job = "job-1"): Promise<Worktree> {
  const added = await mirror.addWorktree({ commit, job, history: { kind: "none" }, ...roomy });
  if (added.kind !== "added") throw new Error(added.kind);
  return added.worktree;
}
