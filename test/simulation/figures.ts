/** What happened in a life, in numbers. Plain data, so that the numbers of many lives can be added up. */
export interface Counts {
  readonly effects: Record<string, number>;
  readonly faults: Record<string, number>;
  readonly crossings: Record<string, number>;
  readonly crashes: Record<string, number>;
  readonly sightings: Record<string, number>;
  readonly totals: Record<
    | "ticks"
    | "takeovers"
    | "duplicates"
    | "converged"
    | "virtualMs"
    | "events"
    | "changes"
    /** Those with exactly one visible answer at the end. */
    | "questions"
    | "arguments",
    number
  >;
}

export interface Figures {
  readonly counts: Counts;
  effect(kind: string): void;
  fault(kind: string): void;
  /** A worker came to this border. */
  crossed(name: string): void;
  /** A worker died there. */
  crashed(name: string): void;
  /** Something that must be seen now and then; the list is in sometimes.ts. */
  sight(name: string): void;
  add(total: keyof Counts["totals"], count: number): void;
}

export function createFigures(): Figures {
  const counts = noCounts();
  return {
    counts,
    effect: (kind) => increase(counts.effects, kind, 1),
    fault: (kind) => increase(counts.faults, kind, 1),
    crossed: (name) => increase(counts.crossings, name, 1),
    crashed: (name) => increase(counts.crashes, name, 1),
    sight: (name) => increase(counts.sightings, name, 1),
    add: (total, count) => increase(counts.totals, total, count),
  };
}

export function noCounts(): Counts {
  return {
    effects: {},
    faults: {},
    crossings: {},
    crashes: {},
    sightings: {},
    totals: {
      ticks: 0,
      takeovers: 0,
      duplicates: 0,
      converged: 0,
      virtualMs: 0,
      events: 0,
      changes: 0,
      questions: 0,
      arguments: 0,
    },
  };
}

/** Adds the second to the first. */
export function addCounts(sum: Counts, more: Counts): void {
  for (const part of ["effects", "faults", "crossings", "crashes", "sightings", "totals"] as const) {
    for (const [name, count] of Object.entries(more[part])) increase(sum[part], name, count);
  }
}

function increase(numbers: Record<string, number>, name: string, count: number): void {
  numbers[name] = (numbers[name] ?? 0) + count;
}

export function sumOf(numbers: Readonly<Record<string, number>>): number {
  return Object.values(numbers).reduce((sum, count) => sum + count, 0);
}
