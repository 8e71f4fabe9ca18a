import type { PathPattern } from "#core/approval/path-pattern.ts";
import type { DiffPath } from "#core/diff/diff-path.ts";
import type { HeadSha, PatchId, Untrusted } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";

/**
 * Git as Drover needs it: a mirror of each repository in a folder that belongs to this process alone, and plain folders
 * in which agents work. A git directory that others could have written is never opened, and nothing in a repository is
 * ever run. Every call may end with a `GitError`; results that people must see or decide about are outcomes instead.
 * Commits are `HeadSha` everywhere: any commit can become the head of some pull.
 */
export interface Git {
  /**
   * Leaves behind a mirror with all branches as they were on the remote during this call. Branches that are gone there
   * are deleted here, and so are single ones that cannot be fetched, such as one with a broken tree. Fetched objects
   * stay, so an old head can still be compared after a force-push. Calls for one key run one after the other. Time and
   * bytes are limited. The remote's address and credential are not stored.
   */
  ensureMirror(request: MirrorRequest): Promise<Mirror>;

  /** The mirror as the last fetch left it, without going out; undefined where there is none. It may be old. */
  findMirror(key: string): Promise<Mirror | undefined>;

  /** Twice is once. Removes everything that the agent left, with any file mode; follows no link. */
  removeWorktree(worktree: Worktree): Promise<void>;

  /** Removes all worktrees but these: leftovers of a crash. Says how many there were. */
  pruneWorktrees(keep: readonly Worktree[]): Promise<number>;
}

/** One repository. Reads look at the mirror alone and may be stale; only what takes a `remote` goes out. */
export interface Mirror {
  readonly key: string;

  /**
   * Fetches exactly these refs, named as the remote names them (`refs/heads/main`, `refs/pull/7/head`), into Drover's
   * own namespace. Answers in the order asked, with null for a ref that the remote does not have; the copy of such a
   * ref is forgotten. The commit is what was fetched, which may be newer than what anybody saw before.
   */
  fetchRefs(request: Cancellable & { readonly remote: Remote; readonly refs: readonly string[] }): Promise<FetchedRefs>;

  /** The name of a commit's whole content: equal trees have equal files, modes and names. */
  findTree(commit: HeadSha): Promise<TreeId | undefined>;

  /** Whether everything in `older` is part of `newer`; a commit is its own ancestor. */
  ancestry(request: { readonly older: HeadSha; readonly newer: HeadSha }): Promise<Ancestry>;

  mergeBase(request: CommitPair): Promise<MergeBase>;

  /**
   * The changes of `head` since it left `base`, as `git diff base...head` shows them: three lines of context, full blob
   * ids, and renames. Binary files, and files that are too large to compare, are named and not shown. The same two
   * commits give the same bytes on every machine: neither local configuration nor the repository's attributes count, so
   * a file cannot exclude itself.
   */
  diff(request: Cancellable & CommitPair & { readonly bytesMax: number }): Promise<DiffRead>;

  /** The fingerprint of that diff. Null where it cannot be known for certain: then nothing may be carried over. */
  patchOf(request: Cancellable & CommitPair): Promise<PatchId | null>;

  /** One file of a commit. Links are shown and never followed, not even in the middle of the path. */
  readFile(request: FileRequest): Promise<FileRead>;

  /** All files below a folder (`""` is the root), in the order of their bytes; folders themselves are not listed. */
  listTree(request: TreeRequest): Promise<TreeRead>;

  /**
   * Lines of plain files that hold a text, in the order of paths and lines. The text is meant to the letter, but for the
   * case of A to Z. Links are not followed; files with a NUL near their beginning, as git itself judges them, hold no
   * text. A text that no line can hold is a `bad_request`.
   */
  grep(request: GrepRequest): Promise<GrepRead>;

  /**
   * Commits, newest first, that changed a file or something below a folder, renames not followed. Merges are left out:
   * they bring nothing of their own that their parents do not show.
   */
  logOf(
    request: Cancellable & { readonly commit: HeadSha; readonly path: string; readonly entriesMax: number },
  ): Promise<CommitLog>;

  /**
   * The files of a commit in a folder of the job's own, and an empty home beside it. File contents are the bytes of the
   * repository: no filter, line ending or encoding is applied. Nothing in it leads back to the mirror. What an earlier
   * worktree of the same job left is removed first. With `history` the folder has a git directory of its own for the
   * agent's convenience, at a detached head; Drover itself never opens it again.
   */
  addWorktree(request: WorktreeRequest): Promise<WorktreeAdded>;

  /**
   * Makes a tree out of the plain files of a folder that an agent has worked in, as a change of `commit`. A git
   * directory in the folder is not read. Untracked files that the folder's own `.gitignore` files name are left out.
   * The folder must not change meanwhile. All problems are listed, up to a limit; one is enough to import nothing.
   */
  importResult(request: ImportRequest): Promise<ImportOutcome>;

  /** The same request makes the same commit. Nothing points at it until it is pushed. */
  commitTree(request: CommitRequest): Promise<HeadSha>;

  /**
   * Moves one ref of the remote from `expected` (null: it must not exist) to `commit`, and reads it back. Only a ref
   * that was seen at the new commit counts as pushed. It never moves a ref that has another value, regardless of
   * fetches in between, and rewrites history only if asked to. Called again after a lost response it says `pushed`. A
   * cancelled call may have pushed.
   */
  push(request: PushRequest): Promise<PushOutcome>;
}

export interface Cancellable {
  /** Ends the call early, with a `GitError` of kind `cancelled`. */
  readonly signal?: AbortSignal | undefined;
}

export interface Remote {
  /** `https://…` without a user in it; other protocols only where the operator allowed them. */
  readonly url: string;
  readonly credential: Credential | null;
}

/** The secret is behind a function, so that logging or writing down a remote does not reveal it. */
export interface Credential {
  readonly username: string;
  readonly reveal: () => string;
}

export interface MirrorRequest extends Cancellable {
  /** Names the repository, unique over all forges and the same after a restart. */
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
  /** After criss-cross merges there are several, none better than the others. `commit` is the newest of `all`. */
  | { readonly kind: "found"; readonly commit: HeadSha; readonly all: readonly HeadSha[] }
  | { readonly kind: "unrelated" }
  | UnknownCommit;

/** The mirror does not hold this commit: it was never fetched, or it does not exist. */
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
  /** The name of the content; of a submodule its commit. */
  readonly id: string;
  /** Null for a submodule. */
  readonly bytes: number | null;
}

export interface GrepRequest extends Cancellable {
  readonly commit: HeadSha;
  /** Part of one line: no control character but a tab, and not longer than git's own limits want it. */
  readonly text: string;
  /** Only this file or what is below this folder; `""` is everything. */
  readonly folder: string;
  /** Files whose lines are not shown, though they are named where they hold the text. */
  readonly isSkipped: (path: string) => boolean;
  readonly hitsMax: number;
}

export type GrepRead =
  | {
      readonly kind: "hits";
      readonly hits: readonly GrepHit[];
      /** Files that hold the text as well, whose lines are not shown: skipped, too large, or with a name that git cannot be told. */
      readonly alsoIn: readonly DiffPath[];
      /** There is more. */
      readonly isCut: boolean;
    }
  | UnknownCommit;

export interface GrepHit {
  readonly path: DiffPath;
  readonly line: number;
  /** The line, or what stands around the text where the line is long. */
  readonly text: Untrusted;
}

export type CommitLog =
  | { readonly kind: "log"; readonly entries: readonly LogEntry[]; readonly isCut: boolean }
  | UnknownCommit;

export interface LogEntry {
  readonly commit: HeadSha;
  readonly author: Untrusted;
  /** The committer's claim, which is not proven. */
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
  /** Empty, for the HOME of the program that works in the folder. */
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
  /** May not be changed. Git's own files are always protected. */
  readonly protectedPaths: readonly PathPattern[];
  /** Whether the folders from which the known forges take their CI are protected as well. */
  readonly ciPaths: "protected" | "free";
  /** These stay as they are in the commit, regardless of the folder: Drover itself put other content there. */
  readonly keptPaths: readonly PathPattern[];
}

export interface ImportLimits {
  /** Everything that is looked at, changed or not. */
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
      /** Untracked entries that were left out because a `.gitignore` names them; an ignored folder counts as one. */
      readonly ignoredCount: number;
    }
  | { readonly kind: "unchanged"; readonly ignoredCount: number }
  | { readonly kind: "refused"; readonly problems: readonly ImportProblem[] }
  | UnknownCommit;

export interface ImportedChange {
  /** `retyped`: a file became a link, or the other way round. */
  readonly kind: "added" | "modified" | "deleted" | "mode_changed" | "retyped";
  readonly path: DiffPath;
  /** Of a deleted file the mode that it had. */
  readonly mode: FileMode;
  /** Zero for a deleted file. */
  readonly bytes: number;
}

export interface ImportProblem {
  readonly why: ImportProblemWhy;
  readonly path: DiffPath;
}

export type ImportProblemWhy =
  | "link_outside"
  /** A pipe, socket or device. */
  | "special_file"
  /** Content that is reachable under another name, perhaps one outside of the folder. */
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
  /** The ref is somewhere else (null: gone) and was left there. */
  | { readonly kind: "moved"; readonly to: HeadSha | null }
  /**
   * Known not to have happened. `unknown_history`: the mirror lacks `expected`, so it is unknown what would be lost.
   */
  | { readonly kind: "refused"; readonly why: "not_fast_forward" | "unknown_history" | "remote_rejected" }
  /** It may have happened, or may yet. Look at the remote after a while. */
  | { readonly kind: "unknown"; readonly why: "no_answer" | "not_seen" };

export type GitErrorKind =
  /** Git is missing or too old. */
  | "unsupported"
  /** The remote did not answer, does not exist, or does not let us in: git tells these apart in prose alone. */
  | "unavailable"
  | "timeout"
  | "cancelled"
  | "over_limit"
  /** A ref, path, key or address that is not well formed, or a protocol that is not allowed. */
  | "bad_request"
  /** Anything else that git would not do. */
  | "failed";

/** Branch on `kind`. The message is for people: shortened, without control characters, credentials or the address. */
export class GitError extends Error {
  readonly kind: GitErrorKind;

  constructor(kind: GitErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "GitError";
    this.kind = kind;
  }
}
