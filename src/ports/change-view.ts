import type { Side } from "#core/diff/hunk.ts";
import type { HeadSha, Untrusted } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import type { RoleBrief } from "#core/review/role-brief.ts";

export interface ChangeView {
  readonly brief?: RoleBrief | undefined;
  readonly head: HeadSha;
  readonly baseBranch: string;
  /** The complete diff as git prints it. Borrowed: it must not be changed. */
  readonly diff: Uint8Array;
  /**
   * A file of the head (`new`) or the merge base (`old`). Null (none, not plain, too large, no repository path) is not an
   * empty file. Rejects when the repository cannot be read.
   */
  readFile(side: Side, path: string): Promise<Uint8Array | null>;
  /** Patterns as in CODEOWNERS, from the base branch. Matching files are `excluded` in the coverage and have no findings. */
  readonly excludedPaths: readonly string[];
  readonly about?: { readonly title: Untrusted; readonly description: Untrusted } | undefined;
  readonly repository?: RepositoryView | undefined;
}

export interface RepositoryView {
  /** All files below a folder (`""` is the root), in byte order, up to a limit. Null where there is no such folder. */
  listFiles(folder: string): Promise<{ readonly paths: readonly string[]; readonly isCut: boolean } | null>;
  /** Lines with exactly this text (A to Z in any case), by path and line. Null if no line can hold it. Absent: too costly. */
  search?(request: SearchRequest): Promise<SearchHits | null>;
  /** Newest first, up to a limit. */
  history(path: string): Promise<readonly HistoryEntry[]>;
}

export interface SearchRequest {
  readonly text: string;
  readonly folder: string;
  /** Their lines are not shown; the files are still named. */
  readonly isSkipped: (path: string) => boolean;
  readonly hitsMax: number;
  /** Of this search alone; that of the job ends it as well. */
  readonly signal?: AbortSignal | undefined;
}

export interface SearchHits {
  readonly hits: readonly { readonly path: string; readonly line: number; readonly text: Untrusted }[];
  readonly alsoIn: readonly string[];
  readonly isCut: boolean;
}

export interface HistoryEntry {
  readonly commit: HeadSha;
  readonly author: Untrusted;
  /** The committer's claim, not proven. */
  readonly at: Instant;
  readonly subject: Untrusted;
}
