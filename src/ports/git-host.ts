import type { HeadSha } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import type { Remote, TreeId } from "#ports/git.ts";

/** Repositories as a forge hosts them, for the sandbox. Drover itself uses `Git`, like any other client. */
export interface GitHost {
  /** A name that is taken is a mistake of the caller. */
  createRepository(name: string): Promise<void>;

  remoteOf(name: string): Remote;

  /** On top of the first parent (none: an empty tree). No ref moves. */
  commit(request: HostCommit): Promise<HeadSha>;

  /** From any value, as a person with force would; null deletes it. */
  setRef(request: { readonly repository: string; readonly ref: string; readonly to: HeadSha | null }): Promise<void>;

  refsOf(repository: string): Promise<ReadonlyMap<string, HeadSha>>;

  /** As `git diff base...head`; undefined where they have nothing in common. */
  diff(request: {
    readonly repository: string;
    readonly base: HeadSha;
    readonly head: HeadSha;
  }): Promise<{ readonly bytes: Uint8Array; readonly mergeBase: HeadSha } | undefined>;

  isAncestor(request: {
    readonly repository: string;
    readonly older: HeadSha;
    readonly newer: HeadSha;
  }): Promise<boolean>;

  findTree(request: { readonly repository: string; readonly commit: HeadSha }): Promise<TreeId | undefined>;

  /** A commit with both parents and no ref. A file that both changed differently conflicts, by line where the host can. */
  mergeCommit(
    request: HostMerge,
  ): Promise<{ readonly kind: "merged"; readonly commit: HeadSha } | { readonly kind: "conflict" }>;
}

/** Text is a plain file; null takes the file away. */
export type HostChanges = Readonly<Record<string, string | null>>;

export interface HostCommit {
  readonly repository: string;
  readonly parents: readonly HeadSha[];
  readonly changes: HostChanges;
  readonly message: string;
  readonly author: { readonly name: string; readonly email: string };
  readonly at: Instant;
}

export interface HostMerge extends Omit<HostCommit, "parents" | "changes"> {
  readonly base: HeadSha;
  readonly head: HeadSha;
}
