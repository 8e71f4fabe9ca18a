import type { DiffFile } from "#core/diff/diff-file.ts";
import type { Side } from "#core/diff/hunk.ts";
import type { FileLines } from "#core/diff/line-index.ts";
import { readSnippet, type SnippetForm } from "#core/diff/snippet.ts";
import { type SnippetMatch, searchPart, searchSnippet } from "#core/diff/snippet-search.ts";

export interface AnchorClaim {
  /** It decides; the line only helps to choose between equal places. */
  readonly snippet: string;
  readonly claimedLine: number | undefined;
  readonly side: Side;
}

/** All shown in one hunk. */
export interface AnchorRange {
  readonly file: DiffFile;
  readonly side: Side;
  readonly startLine: number;
  readonly endLine: number;
}

export type Anchor =
  | { readonly kind: "exact"; readonly range: AnchorRange; readonly likeness: Likeness }
  | { readonly kind: "moved"; readonly range: AnchorRange; readonly likeness: Likeness }
  | { readonly kind: "not_in_diff"; readonly why: NotInDiffWhy };

/** To the byte, but for whitespace, or as a part of one line. */
export type Likeness = "verbatim" | "whitespace" | "part";

export type NotInDiffWhy =
  | "empty_snippet"
  | "snippet_too_long"
  | "no_such_file"
  | "no_lines"
  | "no_match"
  | "ambiguous";

export interface AnchorLimits {
  /** Within this many lines of the claim a loose fit wins over a verbatim one far away. */
  readonly anchorNearLines: number;
  /** Beyond this many lines only a place that is unique is taken. */
  readonly anchorReachLines: number;
  /** A snippet as small as a brace is looked for only this far from the claim. */
  readonly anchorTrivialLines: number;
  readonly anchorSnippetLinesMax: number;
}

export const defaultAnchorLimits: AnchorLimits = {
  anchorNearLines: 10,
  anchorReachLines: 200,
  anchorTrivialLines: 3,
  anchorSnippetLinesMax: 200,
};

/** The claimed side first. Never more than one hunk: no forge takes a comment across two. */
export function resolveAnchor(lines: FileLines, claim: AnchorClaim, limits = defaultAnchorLimits): Anchor {
  const read = readClaim(claim, limits);
  if (read.kind === "not_in_diff") return read;
  if (lines.length === 0) return notInDiff("no_lines");
  let why: NotInDiffWhy = "no_match";
  for (const side of claim.side === "new" ? newFirst : oldFirst) {
    const found = searchSide({ lines, side, forms: read.forms, claimedLine: claim.claimedLine, limits });
    if (found.kind === "found") {
      const { startLine, endLine, distance } = found.place;
      const kind = distance === 0 && side === claim.side ? "exact" : "moved";
      return { kind, range: { file: lines.file, side, startLine, endLine }, likeness: found.likeness };
    }
    if (found.kind === "ambiguous") why = "ambiguous";
  }
  return notInDiff(why);
}

const newFirst: readonly Side[] = ["new", "old"];
const oldFirst: readonly Side[] = ["old", "new"];

export function notInDiff(why: NotInDiffWhy): Anchor & { readonly kind: "not_in_diff" } {
  return { kind: "not_in_diff", why };
}

type ReadClaim = { readonly kind: "forms"; readonly forms: readonly SnippetForm[] } | ReturnType<typeof notInDiff>;

export function readClaim({ snippet }: AnchorClaim, { anchorSnippetLinesMax }: AnchorLimits): ReadClaim {
  const forms = readSnippet(snippet);
  const length = Math.max(...forms.map((form) => Math.max(form.old.lines.length, form.new.lines.length)));
  if (length === 0) return notInDiff("empty_snippet");
  return length > anchorSnippetLinesMax ? notInDiff("snippet_too_long") : { kind: "forms", forms };
}

interface SideInput {
  readonly lines: FileLines;
  readonly side: Side;
  readonly forms: readonly SnippetForm[];
  readonly claimedLine: number | undefined;
  readonly limits: AnchorLimits;
}

type SideResult =
  | { readonly kind: "found"; readonly place: SnippetMatch; readonly likeness: Likeness }
  | { readonly kind: "ambiguous" }
  | { readonly kind: "nowhere" };

function searchSide({ lines, side, forms, claimedLine, limits }: SideInput): SideResult {
  const inputs = forms.map((form) => ({ lines, side, snippet: form[side], claimedLine }));
  const results = inputs.map((input) => ({ ...searchSnippet(input), isTrivial: input.snippet.isTrivial }));
  for (const reach of [limits.anchorNearLines, limits.anchorReachLines]) {
    for (const { exact, loose, isTrivial } of results) {
      const most = isTrivial ? limits.anchorTrivialLines : reach;
      if (exact.nearest && exact.nearest.distance <= most) return foundAt(exact.nearest, "verbatim");
      if (loose.nearest && loose.nearest.distance <= most) return foundAt(loose.nearest, "whitespace");
    }
  }
  const telling = results.filter((result) => !result.isTrivial);
  for (const { exact, loose } of telling) {
    if (exact.nearest && exact.count === 1) return foundAt(exact.nearest, "verbatim");
    if (loose.nearest && loose.count === 1) return foundAt(loose.nearest, "whitespace");
  }
  for (const input of inputs) {
    const place = searchPart(input, limits.anchorNearLines);
    if (place !== undefined) return foundAt(place, "part");
  }
  return { kind: results.some((result) => result.loose.count > 0) ? "ambiguous" : "nowhere" };
}

function foundAt(place: SnippetMatch, likeness: Likeness): SideResult {
  return { kind: "found", place, likeness };
}
