import { resolveAnchorInDiff } from "#core/diff/anchor-in-diff.ts";
import type { Diff } from "#core/diff/diff.ts";
import type { AcceptedEntry, CaseFile } from "#core/eval/case-file.ts";
import { type DiffRows, indexRows } from "#core/eval/diff-rows.ts";
import type { EvalCase, Sought, SoughtPlace } from "#core/eval/eval-case.ts";
import { listed } from "#core/words/counted.ts";

export type PlacedCase =
  | { readonly kind: "placed"; readonly case: EvalCase }
  | { readonly kind: "wrong"; readonly problems: readonly string[] };

/** What is not in the diff would count as missed for ever, so it is refused. */
export function locateCase(name: string, file: CaseFile, diff: Diff): PlacedCase {
  const rows = indexRows(diff);
  const problems: string[] = [];
  const seek = (list: "findings" | "mayAlsoFind"): readonly Sought[] =>
    file[list].flatMap((entry, index) => {
      const placed = placeEntry(entry, { diff, rows });
      if (placed.kind === "placed") return [placed.sought];
      problems.push(`${list}.${index}: ${placed.problem}`);
      return [];
    });
  const sought = seek("findings");
  const accepted = seek("mayAlsoFind");
  if (problems.length > 0) return { kind: "wrong", problems };
  const expected = sought.map((one, index) => {
    const { score = null, tags = [] } = file.findings[index] ?? {};
    return { ...one, scoreMin: score, tags: [...new Set([...file.tags, ...tags])] };
  });
  return { kind: "placed", case: { name, title: file.title, tags: file.tags, expected, accepted } };
}

interface ChangeRead {
  readonly diff: Diff;
  readonly rows: DiffRows;
}

type PlacedEntry =
  | { readonly kind: "placed"; readonly sought: Sought }
  | { readonly kind: "wrong"; readonly problem: string };

function placeEntry(entry: AcceptedEntry, change: ChangeRead): PlacedEntry {
  const { path, what, rules, about } = entry;
  if (!change.diff.files.some((file) => file.path === path)) {
    const known = listed([...new Set(change.diff.files.map((file) => file.path))]);
    return wrong(`the change has no file "${path}". It has: ${known}.`);
  }
  const found = findPlace(entry, change);
  if (found.kind === "wrong") return found;
  const { place } = found;
  const code = place.kind === "file" ? "" : change.rows.codeAt({ path, ...place });
  return { kind: "placed", sought: { path, place, code, what, rules, about } };
}

type FoundPlace =
  | { readonly kind: "found"; readonly place: SoughtPlace }
  | { readonly kind: "wrong"; readonly problem: string };

function findPlace(entry: AcceptedEntry, change: ChangeRead): FoundPlace {
  const { path, side, lines, code } = entry;
  if (code !== undefined) return findCode({ path, side, code }, change);
  if (lines === undefined) return { kind: "found", place: { kind: "file" } };
  const rows = change.rows.rowsOf({ path, side, lines });
  if (rows !== null) return { kind: "found", place: { kind: "lines", side, lines, rows } };
  const where = side === "new" ? "after" : "before";
  return wrong(
    `the diff does not show line ${lines.first} of ${path} ${where} the change. Count again, or quote it as \`code\`.`,
  );
}

function findCode(
  { path, side, code }: Pick<AcceptedEntry, "path" | "side"> & { readonly code: string },
  { diff, rows }: ChangeRead,
): FoundPlace {
  const anchor = resolveAnchorInDiff(diff, { path, side, snippet: code, claimedLine: undefined });
  if (anchor.kind === "not_in_diff") {
    return wrong(
      anchor.why === "ambiguous"
        ? `the code is in ${path} more than once. Quote more of it, or give \`lines\`.`
        : `the code is not in the diff of ${path}. Quote whole lines as they stand there, without the + or -.`,
    );
  }
  const { file, side: foundSide, startLine, endLine } = anchor.range;
  if (file.path !== path) return wrong(`the code is in ${file.path}, not in ${path}.`);
  if (foundSide !== side) return wrong(`the code is only there ${sideWords[foundSide]}: say \`side: ${foundSide}\`.`);
  const lines = { first: startLine, last: endLine };
  return { kind: "found", place: { kind: "lines", side, lines, rows: rows.rowsOf({ path, side, lines }) } };
}

const sideWords = { old: "before the change", new: "after the change" } as const;

function wrong(problem: string): { readonly kind: "wrong"; readonly problem: string } {
  return { kind: "wrong", problem };
}
