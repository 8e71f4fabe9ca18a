import { earliest, type Instant } from "#core/model/instant.ts";
import type { Clock } from "#ports/clock.ts";
import type { Dependencies } from "#ports/dependencies.ts";
import { queueNames } from "#ports/queue.ts";
import type { Reconciler } from "#reconcile/reconciler.ts";
import type { VirtualClock } from "#testing/virtual-clock.ts";
import type { Fate } from "./fate.ts";

export interface Worker {
  readonly reconciler: Reconciler;
  readonly dependencies: Dependencies;
  readonly fate: Fate;
}

/** The workers, side by side. Whoever dies is replaced; whoever sleeps is not waited for. */
export interface Workshop {
  readonly workers: readonly Worker[];
  add(worker: Worker): Worker;
  dismissAll(): void;
  /**
   * Everybody who is there takes turns until nothing is due, or nobody is free for what is. Answers with when the next
   * entry is due, by the clock of the queues.
   */
  workOff(): Promise<Instant | undefined>;
}

/** More turns than this without anything else happening is a bug, not work. */
const turnsMax = 400;
const waitsMax = 20_000;

interface Bench {
  readonly worker: Worker;
  turn: "none" | "begun" | "worked" | "idle";
}

export function createWorkshop({
  clock,
  machine,
  replace,
}: {
  readonly clock: VirtualClock;
  /** The clock of the queues. */
  readonly machine: Clock;
  readonly replace: () => Worker;
}): Workshop {
  let benches: Bench[] = [];
  const errors: unknown[] = [];
  const takeTurn = async (bench: Bench): Promise<void> => {
    try {
      bench.turn = await bench.worker.reconciler.processNext();
    } catch (error) {
      bench.turn = "idle";
      errors.push(error);
    }
  };
  const begin = (bench: Bench): void => {
    bench.turn = "begun";
    void takeTurn(bench);
  };
  /** Until all turns have ended, but for those of the dead and the sleeping. */
  const waitForTurns = async (): Promise<void> => {
    for (let waits = 0; ; waits++) {
      await clock.advance(0);
      if (errors.length > 0) throw errors[0];
      const isBusy = benches.some(({ worker, turn }) => turn === "begun" && !worker.fate.isAway());
      if (!isBusy) return;
      const wake = clock.nextWake();
      if (wake !== undefined) await clock.advance(Math.max(0, wake - clock.now()));
      if (waits > waitsMax) throw new Error("a turn does not come to an end");
    }
  };
  const buryDead = (): void => {
    const dead = benches.filter(({ worker }) => worker.fate.isDead());
    benches = benches.filter((bench) => !dead.includes(bench));
    if (benches.length === 0 && dead.length > 0) replace();
  };
  const nextDue = async (): Promise<Instant | undefined> => {
    const queues = new Set(benches.map(({ worker }) => worker.dependencies.queue));
    return earliest(await Promise.all([...queues].map((queue) => queue.nextDue(queueNames))));
  };
  return {
    get workers() {
      return benches.map(({ worker }) => worker);
    },
    add: (worker) => {
      benches.push({ worker, turn: "none" });
      return worker;
    },
    dismissAll: () => {
      benches = [];
    },
    workOff: async () => {
      for (let turns = 0; turns < turnsMax; turns++) {
        await waitForTurns();
        buryDead();
        const due = await nextDue();
        if (due === undefined || due > machine.now()) return due;
        const free = benches.filter(({ turn }) => turn !== "begun");
        for (const bench of free) begin(bench);
        await waitForTurns();
        if (benches.every(({ worker, turn }) => turn !== "worked" && !worker.fate.isDead())) return due;
      }
      throw new Error("the work does not come to an end");
    },
  };
}
