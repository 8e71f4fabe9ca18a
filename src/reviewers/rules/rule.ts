import type { ChangedFile } from "#reviewers/rules/changed-file.ts";
import type { RuleContext } from "#reviewers/rules/rule-context.ts";

/** Data and pure functions; docs/rules-reviewer.md is made of them. */
export interface Rule {
  /** Part of a finding's identity: a new name makes every known finding of the rule a new one. */
  readonly name: string;
  readonly title: string;
  readonly score: number;
  readonly catches: string;
  readonly example: string;
  /** `written`: code that people wrote. `everything`: generated, vendored and lock files too. */
  readonly scope: "written" | "everything";
  /** Its hits quote a part of a line and keep the rest secret; no other rule may then quote that line. */
  readonly isSecretive?: boolean;
  readonly applies: (file: ChangedFile) => boolean;
  /** Says nothing about lines that were not added. */
  readonly check: (file: ChangedFile, change: RuleContext) => readonly Hit[] | Promise<readonly Hit[]>;
}

export interface Hit {
  readonly place: HitPlace;
  readonly score: number;
  readonly message: string;
  /** Replaces all lines of the place; null where no fix is certain. */
  readonly suggestion: string | null;
}

export type HitPlace =
  | { readonly kind: "lines"; readonly first: number; readonly last: number }
  /** From one column up to another: the only part that may be repeated. */
  | { readonly kind: "part"; readonly line: number; readonly from: number; readonly to: number }
  | { readonly kind: "file"; readonly side: "old" | "new" };

export function hitLine(
  line: number,
  hit: Pick<Hit, "score" | "message"> & { readonly suggestion?: string | null },
): Hit {
  const { score, message, suggestion = null } = hit;
  return { place: { kind: "lines", first: line, last: line }, score, message, suggestion };
}

export function hitFile(hit: Pick<Hit, "score" | "message">, side: "old" | "new" = "new"): Hit {
  return { ...hit, place: { kind: "file", side }, suggestion: null };
}
