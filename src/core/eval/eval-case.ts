import type { Side } from "#core/diff/hunk.ts";

/** A change whose problems are known, ready to be compared with what a reviewer says. */
export interface EvalCase {
  /** The name of its folder. */
  readonly name: string;
  readonly title: string;
  readonly tags: readonly string[];
  readonly expected: readonly Expected[];
  /** What may be found and need not be. */
  readonly accepted: readonly Sought[];
}

/** Something that a finding can be about. */
export interface Sought {
  readonly path: string;
  readonly place: SoughtPlace;
  /** The code there; empty for a whole file. */
  readonly code: string;
  readonly what: string;
  /** One of them must have found it; empty: any rule. */
  readonly rules: readonly string[];
  /** One of them must be in the remark; empty: any words. */
  readonly about: readonly string[];
}

export type SoughtPlace =
  | { readonly kind: "file" }
  | { readonly kind: "lines"; readonly side: Side; readonly lines: Range; readonly rows: Range | null };

/** First and last, both in it. */
export interface Range {
  readonly first: number;
  readonly last: number;
}

export interface Expected extends Sought {
  /** Below it the finding is underrated; null: any score will do. */
  readonly scoreMin: number | null;
  /** Its own and those of its case. */
  readonly tags: readonly string[];
}
