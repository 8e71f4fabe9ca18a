import { errorText } from "#core/error-text.ts";
import { secondMs } from "#core/model/instant.ts";
import type { Clock } from "#ports/clock.ts";
import type { Deliveries, DeliveryGroup } from "#ports/intake.ts";
import type { Log } from "#ports/log.ts";
import { pullKeyOf } from "#ports/pull-ref.ts";
import { type PokeDependencies, type Poked, pokeAll } from "#reconcile/poll.ts";
import type { WakeSignal } from "#reconcile/wake-signal.ts";

export interface DeliveryDrainOptions {
  readonly deliveries: Deliveries;
  /** Asked anew each time: a server that just started has none yet, and a reload changes them. */
  readonly installations: () => readonly PokeDependencies[];
  readonly clock: Clock;
  readonly log: Log;
  readonly wake: WakeSignal;
}

const groupsAtOnceMax = 128;
/** For deliveries that a dead process left behind. */
const idleMsMax = 5 * secondMs;
const troubleMs = secondMs;
/** Deliveries come in bursts, often for the same pulls. Reading each alone was slower than writing them all. */
const gatherMs = 250;
/** In a flood most deliveries are about the same pulls, so the more there is, the less often they are read. */
const gatherMsMax = secondMs;
const gatherShare = 4;

/** Pokes come first: a crash repeats them but loses none. Deliveries of an unknown forge stay: it may open soon. */
export async function drainDeliveriesOnce(options: Omit<DeliveryDrainOptions, "wake" | "clock">): Promise<number> {
  const { deliveries, log } = options;
  const installations = options.installations();
  const instances = installations.map(({ instance }) => instance);
  const waiting = await deliveries.readDeliveries({ limit: groupsAtOnceMax, instances });
  if (waiting.length === 0) return 0;
  for (const installation of installations) {
    const those = waiting.filter(({ instance }) => instance === installation.instance);
    if (those.length > 0) await pokeThose(installation, those, log);
  }
  await deliveries.forgetDeliveries(waiting.map(({ number }) => number));
  return waiting.length;
}

async function pokeThose(installation: PokeDependencies, those: readonly DeliveryGroup[], log: Log): Promise<void> {
  const pokes = new Map<string, Poked & { readonly told: string[] }>();
  for (const { pull, author = null, delivery, kind } of those.flatMap(({ references }) => references)) {
    const key = pullKeyOf(installation.instance, pull);
    const told = `${kind} ${delivery ?? "-"}`;
    const poke = pokes.get(key);
    if (poke === undefined) pokes.set(key, { pull, author, told: [told] });
    else if (poke.told.length < toldMax) poke.told.push(told);
  }
  await pokeAll(installation, [...pokes.values()]);
  for (const [pull, { told }] of pokes) log.info({ pull, deliveries: told }, "deliveries became a poke");
}

/** In one line of the log per pull. More are a flood, and each had a line when it came. */
const toldMax = 20;

export async function runDeliveryDrain(options: DeliveryDrainOptions, signal: AbortSignal): Promise<void> {
  const { clock, log, wake } = options;
  while (!signal.aborted) {
    try {
      const began = clock.now();
      const count = await drainDeliveriesOnce(options);
      if (count === 0) await wake.wait(idleMsMax, signal);
      else if (count < groupsAtOnceMax) await clock.sleep(gatherTime(clock.now() - began), signal);
    } catch (error) {
      log.error({ why: errorText(error) }, "deliveries cannot be read");
      await clock.sleep(troubleMs, signal);
    }
  }
}

/** Longer after slow work, so that most of the time is left for new deliveries. */
function gatherTime(spentMs: number): number {
  return Math.min(gatherMsMax, Math.max(gatherMs, gatherShare * spentMs));
}
