import type { Diff } from "#core/diff/diff.ts";
import { type DiffRows, indexRows } from "#core/eval/diff-rows.ts";
import type { EvalCase, Range, Sought } from "#core/eval/eval-case.ts";
import type { RawFinding } from "#core/model/finding.ts";
import { isBlankSnippet, normaliseSnippet } from "#core/review/finding-code.ts";
import { likeness, type Traits, traitsOf } from "#core/review/finding-likeness.ts";
import { compareFindings } from "#core/review/finding-order.ts";

/** What became of each finding, and of each thing that was to be found. */
export interface Judged {
  /** In the order of the case: who found it, null where nobody did. */
  readonly hits: readonly (RawFinding | null)[];
  /** Neither asked for nor wrong. */
  readonly accepted: readonly RawFinding[];
  readonly wrong: readonly WrongFinding[];
}

export interface WrongFinding {
  readonly finding: RawFinding;
  /** `repeat`: it is about something that another finding has said already. */
  readonly why: "unexpected" | "repeat";
}

/** Compares what a reviewer said, in whatever order, with what is known of the change. */
export function judgeFindings(diff: Diff, { expected, accepted }: EvalCase, findings: readonly RawFinding[]): Judged {
  const rows = indexRows(diff);
  const found = findings
    .toSorted(compareFindings)
    .map((finding) => readTraits(finding, rows))
    .map((traits) => ({ traits, isAccepted: accepted.some((sought) => fits(sought, traits)) }))
    // What nothing else would excuse comes first: it gets the pair, and the other one is still accepted.
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

/**
 * A remark may stand this many lines beside the place that is meant: reviewers point at the call or at the condition
 * around it, at the line that is wrong or at the one that is missing after it.
 */
export const linesApartMax = 3;

/** A finding with all that it is compared by, worked out once. */
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

/** The finding speaks of what is sought: of its place and, where the case is particular, of its matter. */
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

/** 0 where they overlap, 1 where they touch. */
function apart(left: Range, right: Range): number {
  return Math.max(0, left.first - right.last, right.first - left.last);
}

/** Which of several that fit is rather meant: the same code and the same words first, then the nearest. */
function nearness(sought: Sought, { finding, traits }: FoundTraits): number {
  const [rule = ""] = sought.rules;
  const alike = likeness(traitsOf({ rule, message: sought.what }, { text: normaliseSnippet(sought.code) }), traits);
  const distance = sought.place.kind === "file" ? 0 : apart(sought.place.lines, finding.lines);
  return alike + 1 / (1 + distance);
}

/**
 * Pairs as many as possible, each with one other at most. `wanted[i]` are the partners that the i-th accepts, dearest
 * first. Those that come first are paired first and never lose their pair again to a later one: of all largest pairings,
 * this is one that has the most of the first.
 */
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

/** Takes a free partner, or one whose own can find another. No partner is asked twice, so this ends. */
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
