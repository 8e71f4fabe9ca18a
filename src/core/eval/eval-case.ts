import type { Side } from "#core/diff/hunk.ts";

export interface EvalCase {
  readonly name: string;
  readonly title: string;
  readonly tags: readonly string[];
  readonly expected: readonly Expected[];
  readonly accepted: readonly Sought[];
}

export interface Sought {
  readonly path: string;
  readonly place: SoughtPlace;
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

export interface Range {
  readonly first: number;
  readonly last: number;
}

export interface Expected extends Sought {
  /** Below it the finding is underrated; null: any score will do. */
  readonly scoreMin: number | null;
  readonly tags: readonly string[];
}
