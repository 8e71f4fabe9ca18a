import { median, short, tableLines } from "./figures.ts";
import type { ScalePlace } from "./scale.ts";
import { type EngineName, type Harness, openHarness } from "./scale-harness.ts";
import { runColdStart, runTicks, type TickRun } from "./scale-measure.ts";

interface Crew {
  readonly engine: EngineName;
  readonly workers: number;
  readonly replicas: number;
}

const crews: readonly Crew[] = [
  { engine: "postgres", workers: 1, replicas: 1 },
  { engine: "postgres", workers: 2, replicas: 1 },
  { engine: "postgres", workers: 4, replicas: 1 },
  { engine: "postgres", workers: 1, replicas: 2 },
  { engine: "postgres", workers: 2, replicas: 2 },
  { engine: "postgres", workers: 4, replicas: 2 },
  { engine: "embedded", workers: 1, replicas: 1 },
  { engine: "embedded", workers: 2, replicas: 1 },
  { engine: "embedded", workers: 4, replicas: 1 },
];

/** Open pulls while ticks are counted: enough that each is looked at seldom. */
const pullsMax = 1000;

/** Ticks per second by workers and replicas. The crews take turns, each in processes that were just started. */
export async function benchTicks(place: ScalePlace): Promise<void> {
  const { options, engines, print } = place;
  print("");
  print("ticks per second, on pulls on which nothing has happened");
  const harnesses = new Map<EngineName, Harness>();
  try {
    for (const engine of engines) harnesses.set(engine, await settle(place, engine));
    const runs: { readonly crew: Crew; readonly run: TickRun }[] = [];
    for (let round = 1; round <= options.rounds; round += 1) {
      for (const crew of crews) {
        const harness = harnesses.get(crew.engine);
        if (harness !== undefined) runs.push({ crew, run: await runCrew(harness, crew, options.seconds * 1000) });
      }
      print(`  round ${round} of ${options.rounds}`);
    }
    for (const line of tickLines(runs)) print(line);
  } finally {
    for (const harness of harnesses.values()) await harness.close();
  }
}

async function settle({ options, cluster, profiles, print }: ScalePlace, engine: EngineName): Promise<Harness> {
  const pulls = Math.min(pullsMax, options.pulls);
  const harness = await openHarness({ pulls, engine, cluster, profiles });
  const startedAt = Date.now();
  const [first] = await harness.startReplicas({ workers: 4, replicas: 1 });
  if (first === undefined) throw new Error("there is no replica");
  await runColdStart(harness, first, { startedAt, print });
  await first.stop();
  return harness;
}

async function runCrew(harness: Harness, { workers, replicas }: Crew, ms: number): Promise<TickRun> {
  const all = await harness.startReplicas({ workers, replicas });
  try {
    // The first ticks of a process are those of its compiler.
    await runTicks(harness, all, ms / 4);
    return await runTicks(harness, all, ms);
  } finally {
    for (const replica of all) await replica.stop();
  }
}

function tickLines(runs: readonly { readonly crew: Crew; readonly run: TickRun }[]): readonly string[] {
  const rows = crews.flatMap((crew) => {
    const own = runs.filter((each) => each.crew === crew).map(({ run }) => run);
    if (own.length === 0) return [];
    const of = (read: (run: TickRun) => number): string => short(median(own.map(read)));
    const perTick = (read: (run: TickRun) => number): string => of((run) => read(run) / run.ticks);
    return [
      [
        `${crew.engine}, ${crew.replicas} × ${crew.workers} workers`,
        of(({ ticks, ms }) => (ticks * 1000) / ms),
        perTick(({ cpuMs }) => cpuMs),
        crew.engine === "embedded" ? "–" : perTick(({ databaseCpuMs }) => databaseCpuMs),
        perTick(({ forgeCpuMs }) => forgeCpuMs),
      ],
    ];
  });
  return ["", ...tableLines(["", "ticks/s", "CPU ms per tick", "database's", "forge's"], rows)];
}
