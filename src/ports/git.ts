import type { PathPattern } from "#core/approval/path-pattern.ts";
import type { DiffPath } from "#core/diff/diff-path.ts";
import type { HeadSha, PatchId, Untrusted } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";

/**
 * A mirror per repository in a folder of this process alone, and plain folders for agents. A git directory that others
 * could have written is never opened; nothing in a repository is run. Any call may end with a `GitError`. Any commit can be
 * a head, so all are `HeadSha`.
 */
export interface Git {
  /**
   * All branches as on the remote during this call; copies of deleted or unfetchable branches go. Objects stay, so old
   * heads can be compared. Calls for one key queue; time and bytes are limited; address and credential are not stored.
   */
  ensureMirror(request: MirrorRequest): Promise<Mirror>;

  /** As the last fetch left it; it may be old. */
  findMirror(key: string): Promise<Mirror | undefined>;

  /** Twice is once. Removes files of any mode; follows no link. */
  removeWorktree(worktree: Worktree): Promise<void>;

  /** Removes leftovers of a crash. Answers with their number. */
  pruneWorktrees(keep: readonly Worktree[]): Promise<number>;
}

/** Reads may be stale; only what takes a `remote` goes out. */
export interface Mirror {
  readonly key: string;

  /**
   * Into Drover's own namespace, in the order asked. Null for a ref that the remote lacks; its copy is forgotten. The
   * commit is what was fetched, which may be newer than what anybody saw.
   */
  fetchRefs(request: Cancellable & { readonly remote: Remote; readonly refs: readonly string[] }): Promise<FetchedRefs>;

  /** Equal trees have equal files, modes and names. */
  findTree(commit: HeadSha): Promise<TreeId | undefined>;

  /** A commit is its own ancestor. */
  ancestry(request: { readonly older: HeadSha; readonly newer: HeadSha }): Promise<Ancestry>;

  mergeBase(request: CommitPair): Promise<MergeBase>;

  /**
   * As `git diff base...head`: three lines of context, full blob ids, renames. Binary and too large files are only named.
   * The same bytes on every machine: configuration and attributes do not count, so a file cannot exclude itself.
   */
  diff(request: Cancellable & CommitPair & { readonly bytesMax: number }): Promise<DiffRead>;

  /** The fingerprint of that diff. Null where it is uncertain: then nothing may be carried over. */
  patchOf(request: Cancellable & CommitPair): Promise<PatchId | null>;

  /** Links are shown and never followed, not even in the middle of the path. */
  readFile(request: FileRequest): Promise<FileRead>;

  /** All files below a folder (`""` is the root), in byte order, without folders. */
  listTree(request: TreeRequest): Promise<TreeRead>;

  /** Lines of plain files with this text (A to Z in any case), by path and line. Files that git takes for binary hold none. */
  grep(request: GrepRequest): Promise<GrepRead>;

  /** Newest first, renames not followed. Merges are left out: their parents show all that they bring. */
  logOf(
    request: Cancellable & { readonly commit: HeadSha; readonly path: string; readonly entriesMax: number },
  ): Promise<CommitLog>;

  /**
   * The repository's bytes, unfiltered, in a fresh folder with an empty home beside it; nothing leads back to the mirror.
   * `history`: a git directory for the agent, which Drover never opens again.
   */
  addWorktree(request: WorktreeRequest): Promise<WorktreeAdded>;

  /**
   * A tree of the folder's plain files, as a change of `commit`. Its git directory is not read; untracked files that its
   * `.gitignore`s name are left out. It must not change meanwhile. One problem is enough to import nothing.
   */
  importResult(request: ImportRequest): Promise<ImportOutcome>;

  /** The same request makes the same commit. Nothing points at it until it is pushed. */
  commitTree(request: CommitRequest): Promise<HeadSha>;

  /**
   * Moves a ref from `expected` (null: must not exist), rewriting history only if asked. `pushed` only if read back so,
   * also after a lost response. A ref with another value never moves. A cancelled call may have pushed.
   */
  push(request: PushRequest): Promise<PushOutcome>;
}

export interface Cancellable {
  /** Ends the call with a `GitError` of kind `cancelled`. */
  readonly signal?: AbortSignal | undefined;
}

export interface Remote {
  /** `https://…` without a user; other protocols only where the operator allowed them. */
  readonly url: string;
  readonly credential: Credential | null;
}

/** A function, so that logging a remote does not reveal the secret. */
export interface Credential {
  readonly username: string;
  readonly reveal: () => string;
}

export interface MirrorRequest extends Cancellable {
  /** Unique over all forges and the same after a restart. */
  readonly key: string;
  readonly remote: Remote;
}

export type FetchedRefs = readonly { readonly ref: string; readonly commit: HeadSha | null }[];

declare const treeIdBrand: unique symbol;
export type TreeId = string & { readonly [treeIdBrand]: true };

/** `unknown`: the mirror lacks one of the commits. */
export type Ancestry = "ancestor" | "not_ancestor" | "unknown";

export interface CommitPair {
  readonly base: HeadSha;
  readonly head: HeadSha;
}

export type MergeBase =
  /** After criss-cross merges there are several, none better. `commit` is the newest of `all`. */
  | { readonly kind: "found"; readonly commit: HeadSha; readonly all: readonly HeadSha[] }
  | { readonly kind: "unrelated" }
  | UnknownCommit;

export interface UnknownCommit {
  readonly kind: "unknown_commit";
  readonly commit: HeadSha;
}

export interface OverLimit {
  readonly kind: "over_limit";
  readonly limit: string;
  readonly max: number;
}

export type DiffRead =
  | { readonly kind: "diff"; readonly bytes: Uint8Array; readonly mergeBase: HeadSha }
  | { readonly kind: "unrelated" }
  | UnknownCommit
  | OverLimit;

export interface FileRequest extends Cancellable {
  readonly commit: HeadSha;
  readonly path: string;
  readonly bytesMax: number;
}

export type FileRead =
  | { readonly kind: "file"; readonly bytes: Uint8Array; readonly isExecutable: boolean }
  | { readonly kind: "absent" }
  | { readonly kind: "folder" }
  | { readonly kind: "link"; readonly target: Untrusted }
  | { readonly kind: "submodule"; readonly commit: string }
  | { readonly kind: "too_large"; readonly bytes: number }
  | UnknownCommit;

export interface TreeRequest extends Cancellable {
  readonly commit: HeadSha;
  readonly folder: string;
  readonly entriesMax: number;
}

export type TreeRead =
  /** `isCut`: there are more entries than were asked for. */
  | { readonly kind: "tree"; readonly entries: readonly TreeEntry[]; readonly isCut: boolean }
  | { readonly kind: "absent" }
  | UnknownCommit;

export type FileMode = "100644" | "100755" | "120000" | "160000";

export interface TreeEntry {
  readonly path: DiffPath;
  readonly mode: FileMode;
  readonly id: string;
  readonly bytes: number | null;
}

export interface GrepRequest extends Cancellable {
  readonly commit: HeadSha;
  /** Part of one line: no control character but a tab. */
  readonly text: string;
  /** `""` is everything. */
  readonly folder: string;
  /** Their lines are not shown; the files are still named. */
  readonly isSkipped: (path: string) => boolean;
  readonly hitsMax: number;
}

export type GrepRead =
  | {
      readonly kind: "hits";
      readonly hits: readonly GrepHit[];
      /** Files with the text whose lines are not shown: skipped, too large, or with a name that git cannot be told. */
      readonly alsoIn: readonly DiffPath[];
      readonly isCut: boolean;
    }
  | UnknownCommit;

export interface GrepHit {
  readonly path: DiffPath;
  readonly line: number;
  readonly text: Untrusted;
}

export type CommitLog =
  | { readonly kind: "log"; readonly entries: readonly LogEntry[]; readonly isCut: boolean }
  | UnknownCommit;

export interface LogEntry {
  readonly commit: HeadSha;
  readonly author: Untrusted;
  /** The committer's claim, not proven. */
  readonly at: Instant;
  readonly subject: Untrusted;
}

export interface WorktreeRequest extends Cancellable {
  readonly commit: HeadSha;
  /** Letters, digits, dots, underscores and dashes. */
  readonly job: string;
  readonly history: { readonly kind: "none" } | { readonly kind: "copied"; readonly commitsMax: number };
  readonly bytesMax: number;
  readonly entriesMax: number;
}

export interface Worktree {
  readonly job: string;
  readonly folder: string;
  /** Empty: the HOME of the program that works in the folder. */
  readonly home: string;
}

export type WorktreeAdded =
  | { readonly kind: "added"; readonly worktree: Worktree }
  /** The commit names a file that no folder may hold, such as one inside of `.git`. */
  | { readonly kind: "unwritable" }
  | UnknownCommit
  | OverLimit;

export interface ImportRequest extends Cancellable {
  readonly folder: string;
  /** What the folder held before the agent began. */
  readonly commit: HeadSha;
  readonly limits: ImportLimits;
  /** Git's own files are always protected. */
  readonly protectedPaths: readonly PathPattern[];
  readonly ciPaths: "protected" | "free";
  /** Drover put other content there: these stay as they are in the commit. */
  readonly keptPaths: readonly PathPattern[];
}

export interface ImportLimits {
  readonly entriesMax: number;
  readonly changesMax: number;
  readonly fileBytesMax: number;
  /** Of all added and modified files together. */
  readonly changedBytesMax: number;
  readonly pathBytesMax: number;
}

export type ImportOutcome =
  | {
      readonly kind: "imported";
      readonly tree: TreeId;
      readonly changes: readonly ImportedChange[];
      /** An ignored folder counts as one. */
      readonly ignoredCount: number;
    }
  | { readonly kind: "unchanged"; readonly ignoredCount: number }
  | { readonly kind: "refused"; readonly problems: readonly ImportProblem[] }
  | UnknownCommit;

export interface ImportedChange {
  /** `retyped`: a file became a link, or the other way round. */
  readonly kind: "added" | "modified" | "deleted" | "mode_changed" | "retyped";
  readonly path: DiffPath;
  readonly mode: FileMode;
  readonly bytes: number;
}

export interface ImportProblem {
  readonly why: ImportProblemWhy;
  readonly path: DiffPath;
}

export type ImportProblemWhy =
  | "link_outside"
  | "special_file"
  /** Reachable under another name, perhaps outside of the folder. */
  | "hard_link"
  | "nested_repository"
  | "submodule_changed"
  | "protected_path"
  /** Control characters, not UTF-8, a backslash, or a name that some system takes for another. */
  | "odd_name"
  | "case_collision"
  | "unreadable"
  | keyof ImportLimits;

export interface CommitRequest {
  readonly tree: TreeId;
  readonly parents: readonly HeadSha[];
  readonly message: string;
  readonly identity: { readonly name: string; readonly email: string };
  /** Git counts whole seconds. */
  readonly at: Instant;
}

export interface PushRequest extends Cancellable {
  readonly remote: Remote;
  readonly ref: string;
  readonly commit: HeadSha;
  readonly expected: HeadSha | null;
  /** `fast_forward`: what was there stays part of the history. */
  readonly manner: "fast_forward" | "rewrite";
}

export type PushOutcome =
  | { readonly kind: "pushed" }
  /** It is somewhere else (null: gone) and was left there. */
  | { readonly kind: "moved"; readonly to: HeadSha | null }
  /** Known not to have happened. `unknown_history`: the mirror lacks `expected`, so it is unknown what would be lost. */
  | { readonly kind: "refused"; readonly why: "not_fast_forward" | "unknown_history" | "remote_rejected" }
  /** It may have happened, or may yet. */
  | { readonly kind: "unknown"; readonly why: "no_answer" | "not_seen" };

export type GitErrorKind =
  | "unsupported"
  /** No answer, no such remote, or no access: git tells these apart in prose alone. */
  | "unavailable"
  | "timeout"
  | "cancelled"
  | "over_limit"
  /** Of a ref, path, key, address or protocol. */
  | "bad_request"
  | "failed";

/** Branch on `kind`. The message is for people: short, without control characters, credentials or the address. */
export class GitError extends Error {
  readonly kind: GitErrorKind;

  constructor(kind: GitErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "GitError";
    this.kind = kind;
  }
}
