import type { Finding, RawFinding } from "#core/model/finding.ts";
import { linesApart } from "#core/review/finding-order.ts";

/** Beyond a million steps, equal findings are paired from the top without asking which of them moved least. */
export const alignStepsMax = 1_000_000;

export interface Pair {
  readonly known: Finding;
  readonly found: RawFinding;
}

interface Alignment {
  readonly known: readonly Finding[];
  readonly found: readonly RawFinding[];
  /** Some must be left out where more are known than were found. */
  readonly mayMiss: (known: Finding) => boolean;
}

/** Without crossings, with the least movement. By ordinal alone, the second of two equal places would seem fixed. */
export function alignFindings(alignment: Alignment): readonly Pair[] {
  const { known, found } = alignment;
  if (known.length * found.length > alignStepsMax) return alignFromTheTop(alignment);
  const costs = costTable(alignment);
  const width = found.length + 1;
  const pairs: Pair[] = [];
  let row = 0;
  let column = 0;
  while (row < known.length && column < found.length) {
    const [one, other] = [known[row], found[column]];
    if (one === undefined || other === undefined) break;
    const isPair =
      costs[row * width + column] === costAt(costs, (row + 1) * width + column + 1) + linesApart(one, other);
    if (isPair) pairs.push({ known: one, found: other });
    if (isPair || known.length > found.length) row++;
    if (isPair || known.length <= found.length) column++;
  }
  return pairs;
}

function costTable({ known, found, mayMiss }: Alignment): Float64Array {
  const width = found.length + 1;
  const costs = new Float64Array((known.length + 1) * width);
  for (let cell = costs.length - 2; cell >= 0; cell--) {
    const [one, other] = [known[Math.floor(cell / width)], found[cell % width]];
    const canMissKnown = one !== undefined && known.length > found.length && mayMiss(one);
    const canMissFound = other !== undefined && known.length <= found.length;
    costs[cell] = Math.min(
      canMissKnown ? costAt(costs, cell + width) : Infinity,
      canMissFound ? costAt(costs, cell + 1) : Infinity,
      one !== undefined && other !== undefined ? costAt(costs, cell + width + 1) + linesApart(one, other) : Infinity,
    );
  }
  return costs;
}

function costAt(costs: Float64Array, cell: number): number {
  return costs[cell] ?? Infinity;
}

function alignFromTheTop({ known, found, mayMiss }: Alignment): readonly Pair[] {
  let surplus = known.length - found.length;
  const kept = known.toReversed().filter((one) => surplus <= 0 || !mayMiss(one) || surplus-- <= 0);
  return kept.toReversed().flatMap((one, index) => {
    const other = found[index];
    return other === undefined ? [] : [{ known: one, found: other }];
  });
}
