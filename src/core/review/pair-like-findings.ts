import { groupBy } from "#core/group-by.ts";
import type { Finding, RawFinding } from "#core/model/finding.ts";
import type { FindingId } from "#core/model/ids.ts";
import type { Pair } from "#core/review/align-findings.ts";
import { type CodeOf, isBlankSnippet } from "#core/review/finding-code.ts";
import { likeness, type Traits, traitsOf } from "#core/review/finding-likeness.ts";
import { linesApart } from "#core/review/finding-order.ts";

/** So many known ones around it are compared, so that the cost stays linear. */
const neighboursMax = 200;

interface LikeFindings {
  readonly known: readonly Finding[];
  readonly found: readonly RawFinding[];
  readonly renames: ReadonlyMap<string, string>;
  readonly blockingOf: (role: string) => number;
  readonly codeOf: CodeOf;
  readonly gone: ReadonlySet<FindingId>;
  readonly isJudged: (finding: RawFinding) => boolean;
  readonly isReadBefore: (found: RawFinding) => boolean;
}

interface Standing {
  readonly finding: Finding;
  readonly index: number;
  readonly traits: Traits;
}

interface Candidate extends Pair {
  readonly likeness: number;
  /** Places in the lists: comparing the findings again would read all of their long snippets for each pair. */
  readonly knownIndex: number;
  readonly foundIndex: number;
}

export function pairLikeFindings(input: LikeFindings): readonly Pair[] {
  const { known, found, renames, codeOf } = input;
  const standing = known
    .map((finding, index): Standing => ({ finding, index, traits: traitsOf(finding, codeOf(finding)) }))
    .filter(({ finding }) => !isFixed(finding));
  const byFile = groupBy(standing, ({ finding }) => fileKey(finding));
  const candidates = found.flatMap((other, foundIndex): readonly Candidate[] => {
    const traits = traitsOf(other, codeOf(other));
    return [...new Set([other.path, renames.get(other.path) ?? other.path])]
      .flatMap((path) => neighbours(byFile.get(fileKey({ ...other, path })) ?? [], other))
      .map((one) => ({
        known: one.finding,
        found: other,
        likeness: Math.max(alikeness(input, one, { finding: other, traits }), sameness(input, one, other)),
        knownIndex: one.index,
        foundIndex,
      }))
      .filter((candidate) => candidate.likeness > 0);
  });
  return pickBest(candidates.toSorted(compareCandidates));
}

function isFixed({ state }: Finding): boolean {
  return state.kind === "resolved" && state.resolution.how === "fixed";
}

/** Only open ones: a settled finding stands for its own code alone. A blocker never matches what did not block. */
function alikeness(
  { blockingOf }: LikeFindings,
  one: Standing,
  other: { readonly finding: RawFinding; readonly traits: Traits },
): number {
  if (one.finding.state.kind === "resolved" || wouldHide(one.finding, other.finding, blockingOf)) return 0;
  return likeness(one.traits, other.traits);
}

function wouldHide(known: Finding, found: RawFinding, blockingOf: LikeFindings["blockingOf"]): boolean {
  return found.score >= blockingOf(found.role) && known.score < blockingOf(known.role);
}

/** More than any likeness: a finding may have taken its words from what was said here. */
const sameWords = 3;
/** Less than any likeness: what is said alike as well comes first. */
const sameCode = 0.2;
const samePlace = 0.1;

/** A model renames and rewords the same problem. On changed code both must quote the very same lines. */
function sameness(input: LikeFindings, { finding }: Standing, other: RawFinding): number {
  const { gone, codeOf, isJudged, isReadBefore } = input;
  if (gone.has(finding.id) || isBlankSnippet(other.snippet)) return 0;
  if (isJudged(finding) !== isJudged(other)) return echo(input, finding, other);
  if (!isJudged(other)) return 0;
  const isSameCode = codeOf(finding).number === codeOf(other).number;
  if (finding.state.kind === "resolved") return isSameCode && isReadBefore(other) ? sameCode : 0;
  if (isSameCode) return sameCode;
  return isReadBefore(other) && !isBlankSnippet(finding.snippet) && overlaps(finding, other) ? samePlace : 0;
}

/** A model repeats in words of its own what rules have found, or the other way round: on the very same lines. */
function echo({ blockingOf }: LikeFindings, known: Finding, found: RawFinding): number {
  if (known.state.kind === "resolved" || wouldHide(known, found, blockingOf)) return 0;
  if (linesApart(known, found) > 0 || isBlankSnippet(known.snippet)) return 0;
  return known.message === found.message ? sameWords : sameCode;
}

function overlaps({ lines: one }: RawFinding, { lines: other }: RawFinding): boolean {
  return one.first <= other.last && other.first <= one.last;
}

function fileKey({ path, side }: Pick<RawFinding, "path" | "side">): string {
  return JSON.stringify([path, side]);
}

function neighbours(known: readonly Standing[], found: RawFinding): readonly Standing[] {
  if (known.length <= neighboursMax) return known;
  let low = 0;
  let high = known.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((known[middle]?.finding.lines.first ?? 0) < found.lines.first) low = middle + 1;
    else high = middle;
  }
  const start = Math.max(0, Math.min(low - neighboursMax / 2, known.length - neighboursMax));
  return known.slice(start, start + neighboursMax);
}

function compareCandidates(left: Candidate, right: Candidate): number {
  return (
    right.likeness - left.likeness ||
    linesApart(left.known, left.found) - linesApart(right.known, right.found) ||
    left.knownIndex - right.knownIndex ||
    left.foundIndex - right.foundIndex
  );
}

function pickBest(candidates: readonly Candidate[]): readonly Pair[] {
  const taken = new Set<RawFinding>();
  const pairs: Pair[] = [];
  for (const { known, found } of candidates) {
    if (taken.has(known) || taken.has(found)) continue;
    taken.add(known);
    taken.add(found);
    pairs.push({ known, found });
  }
  return pairs;
}
