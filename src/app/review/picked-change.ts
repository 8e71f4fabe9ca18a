import type { LeftOut } from "#app/review/snapshot.ts";

/** Two trees to be compared. Commits are null for a side that is none. */
export interface SelectedChange {
  readonly words: string;
  readonly old: { readonly tree: string; readonly commit: string | null };
  readonly new: { readonly tree: string; readonly commit: string | null };
  readonly baseBranch: string;
  /**
   * The tip of the base, where that is not the old side: its rules hold. Where a branch left it is for its author to
   * choose, among all commits that the base has ever taken in, those that were put right later included.
   */
  readonly baseTree?: string;
  readonly leftOut: LeftOut;
}
