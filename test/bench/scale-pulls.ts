import { setTimeout as sleep } from "node:timers/promises";
import { short, tableLines } from "./figures.ts";
import { readProcessCost } from "./process-cost.ts";
import type { ScalePlace } from "./scale.ts";
import { type EngineName, type Harness, openHarness, type Replica } from "./scale-harness.ts";
import { type ColdStart, readCosts, runColdStart, runTicks, type TickRun } from "./scale-measure.ts";

const workers = 4;

/** What so many open pulls cost one process: to begin with, at rest, and for each tick. */
export async function benchPulls(place: ScalePlace): Promise<void> {
  const { options, engines, print } = place;
  print("");
  print("by number of open pulls, one process with 4 workers");
  const rows: (readonly string[])[] = [];
  for (const engine of engines) {
    for (const pulls of [options.pulls / 100, options.pulls / 10, options.pulls].map(Math.ceil)) {
      print(`  ${engine}, ${pulls} pulls`);
      const row = rowOf(engine, await measure(place, { engine, pulls }));
      rows.push(row);
      // Said at once: the next size takes ten times as long, and may be cut short.
      print(`  ${heads.map((head, column) => `${head}: ${row[column]}`).join(", ")}`);
    }
  }
  for (const line of ["", ...tableLines(heads, rows)]) print(line);
}

interface Measured {
  readonly pulls: number;
  readonly cold: ColdStart;
  readonly rssMb: number;
  readonly idle: Idle;
  readonly run: TickRun;
}

async function measure(
  { options, cluster, profiles, print }: ScalePlace,
  { engine, pulls }: { readonly engine: EngineName; readonly pulls: number },
): Promise<Measured> {
  const harness = await openHarness({ pulls, engine, cluster, profiles });
  try {
    const startedAt = Date.now();
    const [replica] = await harness.startReplicas({ workers, replicas: 1 });
    if (replica === undefined) throw new Error("there is no replica");
    const cold = await runColdStart(harness, replica, { startedAt, print });
    const { rssMb } = readProcessCost(replica.pid);
    const idle = await runIdle(harness, replica, options.idle * 1000);
    const run = await runTicks(harness, [replica], options.seconds * 1000);
    return { pulls, cold, rssMb, idle, run };
  } finally {
    await harness.close();
  }
}

interface Idle {
  readonly ms: number;
  readonly cpuMs: number;
  readonly databaseCpuMs: number;
  readonly calls: number;
}

/** Nothing happens and nothing is due but the polls that look for webhooks that were lost. */
async function runIdle(harness: Harness, replica: Replica, ms: number): Promise<Idle> {
  const before = { ...(await readCosts(harness, [replica])), ...(await harness.countCalls()) };
  await sleep(ms);
  const after = { ...(await readCosts(harness, [replica])), ...(await harness.countCalls()) };
  return {
    ms,
    cpuMs: after.cpuMs - before.cpuMs,
    databaseCpuMs: after.databaseCpuMs - before.databaseCpuMs,
    calls: after.calls - before.calls,
  };
}

const heads = [
  "open pulls",
  "first looks s",
  "at rest s",
  "ticks per pull",
  "writes per pull",
  "RSS MB",
  "idle CPU s/min",
  "idle calls/min",
  "ticks/s",
  "CPU ms per tick",
  "database's",
  "forge's",
];

function rowOf(engine: EngineName, { pulls, cold, rssMb, idle, run }: Measured): readonly string[] {
  const perMinute = (value: number): number => (value * 60_000) / idle.ms;
  return [
    `${engine}, ${short(pulls)}`,
    ...[
      cold.firstLooksMs / 1000,
      cold.restMs / 1000,
      cold.ticks / pulls,
      cold.writes / pulls,
      rssMb,
      perMinute(idle.cpuMs / 1000),
      perMinute(idle.calls),
      (run.ticks * 1000) / run.ms,
      run.cpuMs / run.ticks,
    ].map(short),
    engine === "embedded" ? "–" : short(run.databaseCpuMs / run.ticks),
    short(run.forgeCpuMs / run.ticks),
  ];
}
