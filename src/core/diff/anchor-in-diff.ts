import {
  type Anchor,
  type AnchorClaim,
  defaultAnchorLimits,
  type Likeness,
  notInDiff,
  readClaim,
  resolveAnchor,
} from "#core/diff/anchor.ts";
import type { Diff } from "#core/diff/diff.ts";
import type { DiffFile } from "#core/diff/diff-file.ts";
import type { Side } from "#core/diff/hunk.ts";
import { indexLines } from "#core/diff/line-index.ts";
import type { SnippetForm } from "#core/diff/snippet.ts";
import { type SnippetMatches, searchSnippet } from "#core/diff/snippet-search.ts";

export interface PathClaim extends AnchorClaim {
  readonly path: string;
}

/** Falls back to the only other place that holds the quote: models mix up files. A trivial quote stays in its file. */
export function resolveAnchorInDiff(diff: Diff, claim: PathClaim, limits = defaultAnchorLimits): Anchor {
  const read = readClaim(claim, limits);
  if (read.kind === "not_in_diff") return read;
  const named = diff.files.filter((file) => file.newPath?.text === claim.path || file.oldPath?.text === claim.path);
  let here = notInDiff("no_such_file");
  for (const file of named) {
    const anchor = resolveAnchor(indexLines(diff, file), claim, limits);
    if (anchor.kind !== "not_in_diff") return anchor;
    here = anchor;
  }
  if (here.why === "ambiguous") return here;
  const others = diff.files.filter((file) => !named.includes(file));
  return findElsewhere(diff, { others, forms: read.forms, claim }) ?? here;
}

interface ElsewhereInput {
  readonly others: readonly DiffFile[];
  readonly forms: readonly SnippetForm[];
  readonly claim: PathClaim;
}

function findElsewhere(diff: Diff, { others, forms, claim }: ElsewhereInput): Anchor | undefined {
  const indexed = others.filter((file) => file.content.kind === "text").map((file) => indexLines(diff, file));
  for (const side of [claim.side, claim.side === "new" ? "old" : "new"] satisfies Side[]) {
    for (const form of forms) {
      const snippet = form[side];
      if (snippet.isTrivial) continue;
      const results = indexed.map((lines) => ({
        file: lines.file,
        ...searchSnippet({ lines, side, snippet, claimedLine: undefined }),
      }));
      const exact = results.map((result) => ({ file: result.file, places: result.exact }));
      const loose = results.map((result) => ({ file: result.file, places: result.loose }));
      const anchor = onlyPlace(exact, side, "verbatim") ?? onlyPlace(loose, side, "whitespace");
      if (anchor !== undefined) return anchor;
    }
  }
  return undefined;
}

interface PlacesInFile {
  readonly file: DiffFile;
  readonly places: SnippetMatches;
}

function onlyPlace(found: readonly PlacesInFile[], side: Side, likeness: Likeness): Anchor | undefined {
  const [hit, ...more] = found.filter(({ places }) => places.count > 0);
  if (hit?.places.nearest === undefined || hit.places.count > 1 || more.length > 0) return undefined;
  const { startLine, endLine } = hit.places.nearest;
  return { kind: "moved", range: { file: hit.file, side, startLine, endLine }, likeness };
}
