import type { LeftOut } from "#app/review/snapshot.ts";

/** Two trees to be compared. Commits are null for a side that is none. */
export interface PickedChange {
  readonly words: string;
  readonly old: { readonly tree: string; readonly commit: string | null };
  readonly new: { readonly tree: string; readonly commit: string | null };
  readonly baseBranch: string;
  readonly leftOut: LeftOut;
}
