import { boundaries } from "./boundaries.ts";
import { type Counts, sumOf } from "./figures.ts";
import { sometimes } from "./sometimes.ts";

export interface Summary {
  readonly firstSeed: number;
  /** Those of the corpus included. */
  readonly seeds: number;
  readonly failures: readonly { readonly seed: number; readonly problem: string }[];
  readonly counts: Counts;
  readonly realMs: number;
  /** What should have been seen at least once. */
  readonly unseen: readonly string[];
  /** Where no worker died although one should have. */
  readonly unmet: readonly string[];
}

export function unseenSights({ sightings, effects, faults }: Counts): readonly string[] {
  return sometimes.filter((name) => (sightings[name] ?? effects[name] ?? faults[name] ?? 0) === 0);
}

export function unmetBoundaries({ crashes }: Counts): readonly string[] {
  return boundaries.filter((name) => (crashes[name] ?? 0) === 0);
}

export function summaryLines(summary: Summary): readonly string[] {
  const { counts, seeds, failures, realMs } = summary;
  const { totals } = counts;
  const met = boundaries.length - unmetBoundaries(counts).length;
  const speed = Math.round(totals.virtualMs / Math.max(1, realMs));
  return [
    `${seeds} seeds in ${(realMs / 1000).toFixed(0)} s: ${failures.length} failed`,
    `effects: ${sumOf(counts.effects)} (${listed(counts.effects)})`,
    `faults: ${sumOf(counts.faults)} (${listed(counts.faults)})`,
    `workers that died: ${sumOf(counts.crashes)}, taken over: ${totals.takeovers}`,
    `effect boundaries at which one died: ${met} of ${boundaries.length} (${((100 * met) / boundaries.length).toFixed(1)} %)`,
    `sent twice and converged: ${totals.converged}; ${failures.length === 0 ? "0 duplicated and 0 lost effects at the end" : "see the failures"}`,
    `answered exactly once: ${totals.questions} questions, ${totals.arguments} arguments`,
    `virtual time: ${(totals.virtualMs / 3_600_000).toFixed(0)} h, ${speed.toLocaleString("en")} times real time; ${totals.events} events, ${totals.ticks} ticks`,
    ...summary.unseen.map((name) => `never seen: ${name}`),
    ...summary.unmet.map((name) => `nobody died at: ${name}`),
  ];
}

function listed(numbers: Readonly<Record<string, number>>): string {
  return Object.entries(numbers)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, count]) => `${name} ${count}`)
    .join(", ");
}
