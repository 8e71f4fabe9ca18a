import type { Side } from "#core/diff/hunk.ts";
import type { HeadSha, Untrusted } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import type { RoleBrief } from "#core/review/role-brief.ts";

/** A change as it is shown to a reviewer, and the way to read beyond it. */
export interface ChangeView {
  /** What the rules in force say about the role that looks; absent: what its name stands for, and nothing else. */
  readonly brief?: RoleBrief | undefined;
  readonly head: HeadSha;
  readonly baseBranch: string;
  /** The diff of the head against its base as git prints it, complete. Borrowed: it must not be changed. */
  readonly diff: Uint8Array;
  /**
   * A file of the head (`new`) or of the merge base (`old`), as bytes. Null if there is none, if it is no plain file,
   * or if it is larger than the caller's own limit. A reviewer then goes on without it, and must not take null for an
   * empty file. The path is one of the repository, with slashes and no leading slash; for any other path the answer is
   * null. It rejects when the repository cannot be read at all.
   */
  readFile(side: Side, path: string): Promise<Uint8Array | null>;
  /**
   * What the role does not look at: patterns in the manner of CODEOWNERS (core/files/path-pattern.ts), from the base
   * branch. A file that one of them matches is in the coverage as `excluded` and has no findings.
   */
  readonly excludedPaths: readonly string[];
  /** Title and description of the pull; absent if there is no pull, as with a local diff. */
  readonly about?: { readonly title: Untrusted; readonly description: Untrusted } | undefined;
  /** The repository beyond single files; absent if it cannot be read. */
  readonly repository?: RepositoryView | undefined;
}

/** The repository at the head, to be looked at. It rejects when the repository cannot be read at all. */
export interface RepositoryView {
  /**
   * The paths of all files below a folder (`""` is the root), in the order of their bytes, as many as the caller allows:
   * `isCut` says that there are more. Null where there is no such folder, or none of that name can exist.
   */
  listFiles(folder: string): Promise<{ readonly paths: readonly string[]; readonly isCut: boolean } | null>;
  /**
   * Lines that contain a text exactly, except for the case of A to Z, in one file or below a folder (`""` is the
   * root). They are in the order of paths and lines. Null for a text that no line can contain. Absent if a search
   * would have to read every file.
   */
  search?(request: SearchRequest): Promise<SearchHits | null>;
  /** Commits that changed a file or something below a folder, newest first, as many as the caller allows. */
  history(path: string): Promise<readonly HistoryEntry[]>;
}

export interface SearchRequest {
  readonly text: string;
  readonly folder: string;
  /** Files whose lines are not shown, though they are named where they hold the text. */
  readonly isSkipped: (path: string) => boolean;
  readonly hitsMax: number;
  /** Of this search alone; that of the whole job ends it as well. */
  readonly signal?: AbortSignal | undefined;
}

export interface SearchHits {
  readonly hits: readonly { readonly path: string; readonly line: number; readonly text: Untrusted }[];
  /** Files that hold the text as well and whose lines are not shown. */
  readonly alsoIn: readonly string[];
  /** There is more. */
  readonly isCut: boolean;
}

export interface HistoryEntry {
  readonly commit: HeadSha;
  readonly author: Untrusted;
  /** The committer's claim, which is not proven. */
  readonly at: Instant;
  readonly subject: Untrusted;
}
