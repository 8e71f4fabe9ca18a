import type { InstanceId } from "#core/model/ids.ts";
import { secondMs } from "#core/model/instant.ts";
import type { Clock } from "#ports/clock.ts";
import type { Deliveries, LoggedDelivery } from "#ports/intake.ts";
import type { Log } from "#ports/log.ts";
import { type PullRef, pullKeyOf } from "#ports/pull-ref.ts";
import { type Poking, pokeAll } from "#reconcile/poll.ts";
import type { Wake } from "#reconcile/wake.ts";

export interface PumpPlace {
  readonly deliveries: Deliveries;
  /** Whose pulls they are; undefined for a forge that nobody works on any more. */
  readonly installationOf: (instance: InstanceId) => Poking | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /** Rung when a delivery was accepted here. */
  readonly wake: Wake;
}

/** So many are turned into pokes at once. */
const deliveriesAtOnceMax = 1000;
/** For those that a process left behind that is gone. */
const idleMsMax = 5 * secondMs;
const troubleMs = secondMs;

/**
 * Turns deliveries into pokes, one for each pull however many there are of it. The pokes come first: a crash in between
 * pokes once more, and never once less.
 */
export async function pumpOnce(place: Omit<PumpPlace, "wake" | "clock">): Promise<number> {
  const { deliveries, installationOf, log } = place;
  const waiting = await deliveries.readDeliveries({ limit: deliveriesAtOnceMax });
  if (waiting.length === 0) return 0;
  for (const [instance, those] of groupByInstance(waiting)) {
    const installation = installationOf(instance);
    if (installation === undefined)
      log.warn({ forge: instance, count: those.length }, "deliveries of an unknown forge");
    else await pokeThose(installation, those, log);
  }
  await deliveries.forgetDeliveries(waiting.map(({ number }) => number));
  return waiting.length;
}

async function pokeThose(installation: Poking, those: readonly LoggedDelivery[], log: Log): Promise<void> {
  const pulls = new Map<string, PullRef>();
  for (const { pull } of those) pulls.set(pullKeyOf(installation.instance, pull), pull);
  await pokeAll(installation, [...pulls.values()]);
  for (const { pull, delivery, kind } of those) {
    log.info({ pull: pullKeyOf(installation.instance, pull), delivery, kind }, "a delivery became a poke");
  }
}

function groupByInstance(waiting: readonly LoggedDelivery[]): ReadonlyMap<InstanceId, readonly LoggedDelivery[]> {
  const groups = new Map<InstanceId, LoggedDelivery[]>();
  for (const one of waiting) {
    const group = groups.get(one.instance);
    if (group === undefined) groups.set(one.instance, [one]);
    else group.push(one);
  }
  return groups;
}

/** Goes on until the signal is aborted. */
export async function runPump(place: PumpPlace, signal: AbortSignal): Promise<void> {
  const { clock, log, wake } = place;
  while (!signal.aborted) {
    try {
      if ((await pumpOnce(place)) < deliveriesAtOnceMax) await wake.wait(idleMsMax, signal);
    } catch (error) {
      log.error({ why: error instanceof Error ? error.message : String(error) }, "deliveries cannot be read");
      await clock.sleep(troubleMs, signal);
    }
  }
}
