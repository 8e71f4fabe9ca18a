import type { Diff } from "#core/diff/diff.ts";
import { type DiffRows, indexRows } from "#core/eval/diff-rows.ts";
import type { EvalCase, Range, Sought } from "#core/eval/eval-case.ts";
import type { RawFinding } from "#core/model/finding.ts";
import { isBlankSnippet, normaliseSnippet } from "#core/review/finding-code.ts";
import { likeness, type Traits, traitsOf } from "#core/review/finding-likeness.ts";
import { compareFindings } from "#core/review/finding-order.ts";

export interface Judged {
  readonly hits: readonly (RawFinding | null)[];
  readonly accepted: readonly RawFinding[];
  readonly wrong: readonly WrongFinding[];
}

export interface WrongFinding {
  readonly finding: RawFinding;
  /** `repeat`: another finding has said it already. */
  readonly why: "unexpected" | "repeat";
}

export function judgeFindings(diff: Diff, { expected, accepted }: EvalCase, findings: readonly RawFinding[]): Judged {
  const rows = indexRows(diff);
  const found = findings
    .toSorted(compareFindings)
    .map((finding) => readTraits(finding, rows))
    .map((traits) => ({ traits, isAccepted: accepted.some((sought) => fits(sought, traits)) }))
    // What nothing else would excuse gets the pair first: the other one is still accepted.
    .toSorted((left, right) => Number(left.isAccepted) - Number(right.isAccepted));
  const wanted = found.map(({ traits }) => wantedBy(traits, expected));
  const partners = pairUp(wanted);
  const rest = found.flatMap((one, index) =>
    partners[index] === null ? [{ ...one, isRepeat: (wanted[index] ?? []).length > 0 }] : [],
  );
  return {
    hits: expected.map((_, index) => found[partners.indexOf(index)]?.traits.finding ?? null),
    accepted: rest.flatMap(({ traits, isAccepted }) => (isAccepted ? [traits.finding] : [])),
    wrong: rest.flatMap(({ traits, isAccepted, isRepeat }): readonly WrongFinding[] =>
      isAccepted ? [] : [{ finding: traits.finding, why: isRepeat ? "repeat" : "unexpected" }],
    ),
  };
}

function wantedBy(found: FoundTraits, expected: EvalCase["expected"]): readonly number[] {
  return expected
    .flatMap((sought, index) => (fits(sought, found) ? [{ index, nearness: nearness(sought, found) }] : []))
    .toSorted((left, right) => right.nearness - left.nearness || left.index - right.index)
    .map(({ index }) => index);
}

/** Reviewers point at the call or at the condition around it, at the wrong line or beside a missing one. */
export const linesApartMax = 3;

interface FoundTraits {
  readonly finding: RawFinding;
  readonly rows: Range | null;
  readonly words: string;
  readonly traits: Traits;
}

function readTraits(finding: RawFinding, rows: DiffRows): FoundTraits {
  return {
    finding,
    rows: isBlankSnippet(finding.snippet) ? null : rows.rowsOf(finding),
    words: `${finding.rule} ${finding.message} ${finding.assessment}`.toLowerCase(),
    traits: traitsOf(finding, { text: normaliseSnippet(finding.snippet) }),
  };
}

/** By its place and, where the case is particular, by its matter. */
function fits(sought: Sought, found: FoundTraits): boolean {
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
function nearness(sought: Sought, { finding, traits }: FoundTraits): number {
  const [rule = ""] = sought.rules;
  const alike = likeness(traitsOf({ rule, message: sought.what }, { text: normaliseSnippet(sought.code) }), traits);
  const distance = sought.place.kind === "file" ? 0 : apart(sought.place.lines, finding.lines);
  return alike + 1 / (1 + distance);
}

/** `wanted[i]` are the partners of the i-th, dearest first. Of all largest pairings, one with the most of the first. */
export function pairUp(wanted: readonly (readonly number[])[]): readonly (number | null)[] {
  const takenBy = new Map<number, number>();
  for (const index of wanted.keys()) findPartner(index, { wanted, takenBy, asked: new Set() });
  const partners: (number | null)[] = wanted.map(() => null);
  for (const [partner, index] of takenBy) partners[index] = partner;
  return partners;
}

interface Pairing {
  readonly wanted: readonly (readonly number[])[];
  readonly takenBy: Map<number, number>;
  readonly asked: Set<number>;
}

/** No partner is asked twice, so this ends. */
function findPartner(index: number, pairing: Pairing): boolean {
  const { wanted, takenBy, asked } = pairing;
  for (const partner of wanted[index] ?? []) {
    if (asked.has(partner)) continue;
    asked.add(partner);
    const holder = takenBy.get(partner);
    if (holder === undefined || findPartner(holder, pairing)) {
      takenBy.set(partner, index);
      return true;
    }
  }
  return false;
}
