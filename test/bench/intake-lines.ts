import { median, short, tableLines } from "./figures.ts";
import type { LoadReport } from "./intake-report.ts";
import type { Kept, Rival, RivalName } from "./intake-rivals.ts";

/** One rival's turn of a round. */
export interface Turn {
  readonly rival: RivalName;
  readonly round: number;
  readonly isWarmUp: boolean;
  readonly report: LoadReport;
  /** Of the server's own process, without that of a database server. */
  readonly cpuMs: number;
  readonly rssMb: number;
}

export interface IntakeFigures {
  readonly rivals: readonly Pick<Rival, "name" | "words">[];
  readonly turns: readonly Turn[];
  readonly kept: ReadonlyMap<RivalName, Kept>;
}

/** The table of all rivals, then what was wanted beside what was found. */
export function intakeLines(figures: IntakeFigures): readonly string[] {
  const heads = [
    "",
    "requests/s",
    "p50 ms",
    "p99 ms",
    "× Probot",
    "× Probot + insert",
    "CPU µs",
    "RSS MB",
    "failed",
    "kept",
    "per commit",
  ];
  return [
    "",
    ...tableLines(
      heads,
      figures.rivals.map((rival) => rowOf(figures, rival)),
    ),
    "",
    ...goalLines(figures),
  ];
}

function rowOf(figures: IntakeFigures, { name, words }: Pick<Rival, "name" | "words">): readonly string[] {
  const turns = measured(figures, name);
  const of = (read: (turn: Turn) => number): string => short(median(turns.map(read)));
  return [
    words,
    of(rateOf),
    of(({ report }) => report.p50Ms),
    of(({ report }) => report.p99Ms),
    short(ratioOf(figures, { of: name, to: "probot", read: rateOf })),
    short(ratioOf(figures, { of: name, to: "probot_insert", read: rateOf })),
    of(({ cpuMs, report }) => (cpuMs * 1000) / report.taken),
    of(({ rssMb }) => rssMb),
    String(allOf(figures, name).reduce((sum, { report }) => sum + report.failed, 0)),
    keptWords(figures, name),
    groupWords(figures, name),
  ];
}

function allOf({ turns }: IntakeFigures, name: RivalName): readonly Turn[] {
  return turns.filter(({ rival }) => rival === name);
}

function measured(figures: IntakeFigures, name: RivalName): readonly Turn[] {
  return allOf(figures, name).filter(({ isWarmUp }) => !isWarmUp);
}

function rateOf({ report }: Turn): number {
  return (report.taken * 1000) / report.ms;
}

interface Ratio {
  readonly of: RivalName;
  readonly to: RivalName;
  readonly read: (turn: Turn) => number;
}

/** The median of the ratios of each round: a busy minute of the machine hits both. */
function ratioOf(figures: IntakeFigures, { of, to, read }: Ratio): number {
  const others = new Map(measured(figures, to).map((turn) => [turn.round, read(turn)]));
  const ratios = measured(figures, of).map((turn) => read(turn) / (others.get(turn.round) ?? Number.NaN));
  return median(ratios);
}

/** Everything that was answered with 2xx must be there; what was on its way when the time was over may be as well. */
function keptWords(figures: IntakeFigures, name: RivalName): string {
  const { rows = null } = figures.kept.get(name) ?? {};
  if (rows === null) return "nothing";
  const taken = allOf(figures, name).reduce((sum, { report }) => sum + report.taken, 0);
  return rows >= taken ? "all" : `${rows} of ${taken}`;
}

function groupWords({ kept }: IntakeFigures, name: RivalName): string {
  const { rows = null, commits = null } = kept.get(name) ?? {};
  return rows === null || commits === null ? "–" : short(rows / commits);
}

/** Said, not asserted: how fast a machine is at some moment is no property of the code. */
function goalLines(figures: IntakeFigures): readonly string[] {
  const rate = (of: RivalName, to: RivalName): number => ratioOf(figures, { of, to, read: rateOf });
  const p99 = (of: RivalName): number => ratioOf(figures, { of, to: "probot", read: ({ report }) => report.p99Ms });
  const goals = [
    { words: "embedded ÷ Probot", found: rate("embedded", "probot"), atLeast: 1.5 },
    { words: "PostgreSQL ÷ Probot", found: rate("postgres", "probot"), atLeast: 2 },
    { words: "embedded ÷ Probot + insert", found: rate("embedded", "probot_insert"), atLeast: 9 },
    { words: "PostgreSQL ÷ Probot + insert", found: rate("postgres", "probot_insert"), atLeast: 9 },
    { words: "p99 embedded ÷ Probot", found: p99("embedded"), below: 1 },
    { words: "p99 PostgreSQL ÷ Probot", found: p99("postgres"), below: 1 },
  ];
  return goals
    .filter(({ found }) => Number.isFinite(found))
    .map(({ words, found, atLeast = 0, below = Number.POSITIVE_INFINITY }) => {
      const wanted = atLeast > 0 ? `≥ ${atLeast}` : `< ${below}`;
      return `goal: ${words} ${wanted}: ${short(found)} ${found >= atLeast && found < below ? "(reached)" : "(missed)"}`;
    });
}
