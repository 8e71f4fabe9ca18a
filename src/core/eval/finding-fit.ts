import type { DiffRows } from "#core/eval/diff-rows.ts";
import type { Range, Sought } from "#core/eval/eval-case.ts";
import type { RawFinding } from "#core/model/finding.ts";
import { isBlankSnippet, normaliseSnippet } from "#core/review/finding-code.ts";
import { likeness, type Traits, traitsOf } from "#core/review/finding-likeness.ts";

/** Reviewers point at the call or at the condition around it, at the wrong line or beside a missing one. */
export const linesApartMax = 3;

export interface FoundTraits {
  readonly finding: RawFinding;
  readonly rows: Range | null;
  readonly words: string;
  readonly traits: Traits;
}

export function readTraits(finding: RawFinding, rows: DiffRows): FoundTraits {
  return {
    finding,
    rows: isBlankSnippet(finding.snippet) ? null : rows.rowsOf(finding),
    words: `${finding.rule} ${finding.message} ${finding.assessment}`.toLowerCase(),
    traits: traitsOf(finding, { text: normaliseSnippet(finding.snippet) }),
  };
}

/** By its place and, where the case is particular, by its matter. */
export function fits(sought: Sought, found: FoundTraits): boolean {
  const { path, rule } = found.finding;
  return (
    sought.path === path &&
    (sought.rules.length === 0 || sought.rules.includes(rule)) &&
    (sought.about.length === 0 || sought.about.some((word) => found.words.includes(word.toLowerCase()))) &&
    isNear(sought, found)
  );
}

function isNear({ place }: Sought, { finding, rows }: FoundTraits): boolean {
  if (place.kind === "file") return true;
  // A remark on a whole file does not say where to look.
  if (isBlankSnippet(finding.snippet)) return false;
  if (place.side === finding.side && apart(place.lines, finding.lines) <= linesApartMax) return true;
  return place.rows !== null && rows !== null && apart(place.rows, rows) <= linesApartMax;
}

function apart(left: Range, right: Range): number {
  return Math.max(0, left.first - right.last, right.first - left.last);
}

/** The same code and the same words first, then the nearest. */
export function nearness(sought: Sought, { finding, traits }: FoundTraits): number {
  const [rule = ""] = sought.rules;
  const alike = likeness(traitsOf({ rule, message: sought.what }, { text: normaliseSnippet(sought.code) }), traits);
  const distance = sought.place.kind === "file" ? 0 : apart(sought.place.lines, finding.lines);
  return alike + 1 / (1 + distance);
}
