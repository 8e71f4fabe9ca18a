import { setTimeout as sleep } from "node:timers/promises";
import type { PullRef } from "#ports/pull-ref.ts";
import { readProcessCost } from "./process-cost.ts";
import type { Harness, Replica, TickCount } from "./scale-harness.ts";

/** Ticks of pulls on which nothing has happened, as fast as they are done. */
export interface TickRun {
  readonly ticks: number;
  readonly ms: number;
  /** CPU time of all replicas, of the database's own processes, and of the forge. */
  readonly cpuMs: number;
  readonly databaseCpuMs: number;
  readonly forgeCpuMs: number;
}

const glanceMs = 50;
/** As many at once as keep all workers busy, and few enough for the queue to stay short. */
const pokedAtOnce = 500;

export async function runTicks(harness: Harness, replicas: readonly Replica[], ms: number): Promise<TickRun> {
  const before = await readCosts(harness, replicas);
  const first = await sumTicks(replicas);
  const startedAt = Date.now();
  let done = first;
  let batch = 0;
  while (Date.now() - startedAt < ms) {
    const refs = batchOf(harness.refs, batch);
    await replicas[0]?.poke(refs);
    const wanted = done.ticks + refs.length;
    for (;;) {
      done = await sumTicks(replicas);
      if (done.ticks >= wanted) break;
      await sleep(glanceMs);
    }
    batch += 1;
  }
  const after = await readCosts(harness, replicas);
  return {
    ticks: done.ticks - first.ticks,
    ms: done.lastTickAt - startedAt,
    cpuMs: after.cpuMs - before.cpuMs,
    databaseCpuMs: after.databaseCpuMs - before.databaseCpuMs,
    forgeCpuMs: after.forgeCpuMs - before.forgeCpuMs,
  };
}

/** Others each time, all over the list, so that no cache holds them. */
function batchOf(refs: readonly PullRef[], batch: number): readonly PullRef[] {
  const count = Math.min(pokedAtOnce, refs.length);
  const stride = Math.max(1, Math.floor(refs.length / count));
  return Array.from({ length: count }, (_, index) => refs[(index * stride + batch) % refs.length]).filter(
    (ref) => ref !== undefined,
  );
}

type Costs = Pick<TickRun, "cpuMs" | "databaseCpuMs" | "forgeCpuMs">;

export async function readCosts(harness: Harness, replicas: readonly Replica[]): Promise<Costs> {
  return {
    cpuMs: replicas.reduce((sum, { pid }) => sum + readProcessCost(pid).cpuMs, 0),
    databaseCpuMs: await harness.readDatabaseCpuMs(),
    forgeCpuMs: readProcessCost(harness.forgePid).cpuMs,
  };
}

async function sumTicks(replicas: readonly Replica[]): Promise<Pick<TickCount, "ticks" | "lastTickAt">> {
  const counts = await Promise.all(replicas.map((replica) => replica.count()));
  return {
    ticks: counts.reduce((sum, { ticks }) => sum + ticks, 0),
    lastTickAt: Math.max(...counts.map(({ lastTickAt }) => lastTickAt)),
  };
}

/** From an empty database: until every open pull was looked at once, and until nothing is left to be done. */
export interface ColdStart {
  readonly firstLooksMs: number;
  readonly restMs: number;
  readonly ticks: number;
  readonly writes: number;
}

const lookMs = 500;
const progressMs = 15_000;

export async function runColdStart(
  harness: Harness,
  replica: Replica,
  place: { readonly startedAt: number; readonly print: (line: string) => void },
): Promise<ColdStart> {
  let firstLooksMs: number | undefined;
  let toldAt = place.startedAt;
  for (;;) {
    const { pulls, ticks, isAtRest } = await replica.rest();
    const ms = Date.now() - place.startedAt;
    if (firstLooksMs === undefined && pulls >= harness.refs.length) firstLooksMs = ms;
    if (firstLooksMs !== undefined && isAtRest) {
      return { firstLooksMs, restMs: ms, ticks, writes: (await harness.countCalls()).writes };
    }
    if (Date.now() - toldAt > progressMs) {
      toldAt = Date.now();
      place.print(`  ${pulls} of ${harness.refs.length} pulls looked at, ${ticks} ticks, ${Math.round(ms / 1000)} s`);
    }
    await sleep(lookMs);
  }
}
