export interface DiffLimits {
  readonly diffBytesMax: number;
  readonly diffFilesMax: number;
  readonly diffHunksMax: number;
  /** The two names of a `diff --git` line. Splitting them costs more than linear time. */
  readonly diffNameBytesMax: number;
}

export const defaultDiffLimits: DiffLimits = {
  diffBytesMax: 128 * 1024 * 1024,
  diffFilesMax: 50_000,
  diffHunksMax: 1_000_000,
  diffNameBytesMax: 16 * 1024,
};

export type DiffProblem =
  | { readonly kind: "malformed"; readonly why: MalformedWhy; readonly offset: number; readonly reason: string }
  | { readonly kind: "refused"; readonly why: RefusedDiffReason; readonly offset: number; readonly reason: string }
  | {
      readonly kind: "over_limit";
      readonly limit: keyof DiffLimits;
      readonly max: number;
      readonly offset: number;
      readonly reason: string;
    };

export type MalformedWhy = keyof typeof malformedReasons;
export type RefusedDiffReason = keyof typeof refusedReasons;

export function malformedDiff(why: MalformedWhy, offset: number): DiffProblem {
  return { kind: "malformed", why, offset, reason: malformedReasons[why] };
}

export function refusedDiff(why: RefusedDiffReason, offset: number): DiffProblem {
  return { kind: "refused", why, offset, reason: refusedReasons[why] };
}

export function overLimit(limit: keyof DiffLimits, max: number, offset: number): DiffProblem {
  return { kind: "over_limit", limit, max, offset, reason: `The diff goes beyond ${limit}, which is ${max}.` };
}

const malformedReasons = {
  truncated: "The diff ends in the middle of a file.",
  no_file_header: "The text holds no diff: there is no file header in it.",
  bad_header_line: "A line of a file header cannot be read.",
  contradictory_header: "The lines of a file header contradict each other.",
  header_without_change: "A file header is followed by no change.",
  bad_name: "The quoting of a file name is broken.",
  inconsistent_names: "The lines of a file header name different files.",
  ambiguous_names: "The two names on a `diff --git` line cannot be told apart.",
  bad_hunk_header: "A hunk header cannot be read.",
  bad_hunk_line: "A line of a hunk begins with none of space, plus, minus and backslash.",
  hunk_longer_than_header: "A hunk has more lines than its header says.",
  hunk_without_file: "A hunk belongs to no file.",
  hunk_without_change: "A hunk changes nothing.",
  hunks_out_of_order: "The hunks of a file overlap or are out of order.",
  lines_after_last: "Lines follow one that is marked as the last of its file.",
  bad_binary_patch: "A binary patch cannot be read.",
  binary_without_header:
    "A line says that binary files differ, but no `diff --git` line names them. Make the diff with git.",
} as const;

const refusedReasons = {
  combined_diff:
    "This is a combined diff of a merge, which has no single old side. Compare two commits, as in `git diff BASE HEAD`, or add `-m --first-parent`.",
  submodule_summary:
    "A submodule change is told as prose, which hides what changed. Make the diff with `--submodule=short`.",
} as const;
