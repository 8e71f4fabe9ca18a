import type { HeadSha } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import type { Remote, TreeId } from "#ports/git.ts";

/**
 * Repositories as a forge hosts them: what the sandbox forge stands on, and where its people commit. Drover itself never
 * uses this port: it fetches from and pushes to the same repositories through `Git`, like any other client.
 */
export interface GitHost {
  /** An empty bare repository. A name that is taken is a mistake of the caller. */
  createRepository(name: string): Promise<void>;

  /** How the `Git` port reaches it. */
  remoteOf(name: string): Remote;

  /** A person commits: the changes on top of the first parent (none: an empty tree). No ref moves. */
  commit(request: HostCommit): Promise<HeadSha>;

  /** Moves a ref from any value, as a person with force would; null deletes it. */
  setRef(request: { readonly repository: string; readonly ref: string; readonly to: HeadSha | null }): Promise<void>;

  /** All refs as they are now, by any author. */
  refsOf(repository: string): Promise<ReadonlyMap<string, HeadSha>>;

  /** What `head` changes since it left `base`, as `git diff base...head`; undefined where they have nothing in common. */
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

  /**
   * What a merge of the two would be, as a commit with both as parents to which no ref points yet. Files that only one
   * side changed are taken from it; a file that both changed differently is a conflict (line by line where the host can).
   */
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
