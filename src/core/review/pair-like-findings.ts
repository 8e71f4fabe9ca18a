import type { Finding, RawFinding } from "#core/model/finding.ts";
import type { Pair } from "#core/review/align-findings.ts";
import type { CodeOf } from "#core/review/finding-code.ts";
import { likeness, type Traits, traitsOf } from "#core/review/finding-likeness.ts";
import { linesApart } from "#core/review/finding-order.ts";
import { groupBy } from "#core/review/group-by.ts";

/** In one file a finding is compared with this many known ones around it, so that the cost stays linear. */
const neighboursMax = 200;

interface LikeFindings {
  /** Both in the order of the code. */
  readonly known: readonly Finding[];
  readonly found: readonly RawFinding[];
  /** New path to old path. */
  readonly renames: ReadonlyMap<string, string>;
  readonly blockingScore: number;
  readonly codeOf: CodeOf;
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

/**
 * Pairs what is much alike in one file, best first. Only what still stands takes part: a finding that was conceded,
 * waived or fixed speaks for exactly the code that it was about. And what would block is never taken for something
 * that did not, since nobody would see it then.
 */
export function pairLikeFindings({ known, found, renames, blockingScore, codeOf }: LikeFindings): readonly Pair[] {
  const standing = known
    .map((finding, index): Standing => ({ finding, index, traits: traitsOf(finding, codeOf(finding)) }))
    .filter(({ finding }) => finding.state.kind !== "resolved");
  const byFile = groupBy(standing, ({ finding }) => fileKey(finding));
  const candidates = found.flatMap((other, foundIndex): readonly Candidate[] => {
    const traits = traitsOf(other, codeOf(other));
    return [...new Set([other.path, renames.get(other.path) ?? other.path])]
      .flatMap((path) => neighbours(byFile.get(fileKey({ ...other, path })) ?? [], other))
      .filter((one) => other.score < blockingScore || one.finding.score >= blockingScore)
      .map((one) => ({
        known: one.finding,
        found: other,
        likeness: likeness(one.traits, traits),
        knownIndex: one.index,
        foundIndex,
      }))
      .filter((candidate) => candidate.likeness > 0);
  });
  return pickBest(candidates.toSorted(compareCandidates));
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
