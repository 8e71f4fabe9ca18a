import { instant, minuteMs, secondMs } from "#core/model/instant.ts";
import type { SandboxDelivery } from "#forges/sandbox/sandbox.ts";
import type { Workshop } from "./drover-worker.ts";
import type { Installation } from "./world.ts";

/** Everybody looks over all pulls now and then, for the webhooks that never came. */
const pollMs = 10 * minuteMs;

const ownLostRate = 0.8;

/** What lies between the forge and the workers: webhooks are lost, doubled and late, and come in any order. */
export function connectNetwork({ world, chance }: Workshop): { close(): void } {
  let isOpen = true;
  const deliver = (installation: Installation, delivery: SandboxDelivery): void => {
    const living = installation.workers.filter(({ life }) => !life.isOver && life.frozenUntil <= world.scheduler.now());
    if (living.length > 0) chance.pick(living).poke(delivery.pull);
  };
  const send = (installation: Installation, delivery: SandboxDelivery): void => {
    const isLate = world.weather.strikes("delayed_webhook");
    const lateMs = isLate ? chance.below(3 * minuteMs) : 10 + chance.below(secondMs);
    const at = instant(world.scheduler.now() + lateMs);
    world.scheduler.plan({ at, life: null, happen: () => deliver(installation, delivery) });
  };
  world.sandbox.subscribe((delivery) => {
    if (!isOpen) return;
    const by = world.sandbox.history.at(-1)?.by.id;
    for (const installation of world.installations) {
      // Whoever did it looks again by itself: most of what it would be told of its own deeds is noise.
      if (installation.bot.id === by && chance.isTrue(ownLostRate)) continue;
      if (!world.weather.strikes("dropped_webhook")) send(installation, delivery);
      if (world.weather.strikes("doubled_webhook")) send(installation, delivery);
    }
  });
  const poll = (installation: Installation): void => {
    const living = installation.workers.filter(({ life }) => !life.isOver);
    if (living.length > 0) chance.pick(living).poll();
    if (isOpen) planPoll(installation);
  };
  const planPoll = (installation: Installation): void => {
    const at = instant(world.scheduler.now() + pollMs + chance.below(minuteMs));
    world.scheduler.plan({ at, life: null, happen: () => poll(installation) });
  };
  for (const installation of world.installations) planPoll(installation);
  return {
    close: () => {
      isOpen = false;
    },
  };
}
