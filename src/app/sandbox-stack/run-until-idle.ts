import type { FastForwardClock } from "#app/sandbox-stack/fast-forward-clock.ts";
import { after, instant, secondMs } from "#core/model/instant.ts";
import type { Sandbox } from "#forges/sandbox/sandbox.ts";
import { type Queue, type QueueName, queueNames } from "#ports/queue.ts";
import type { Reconciler } from "#reconcile/reconciler.ts";
import type { TickReport } from "#reconcile/tick.ts";

/** More turns than this are a bug. */
const turnsMax = 300;

/** By this age the forge shows every change. */
const quietMs = 10 * secondMs;

/** Webhooks take a moment, and changes within the second of a tick are left to the next one. */
const deliveryMs = 3 * secondMs;

export interface Resting {
  readonly clock: FastForwardClock;
  readonly reconciler: Pick<Reconciler, "processNext">;
  readonly dependencies: { readonly queue: Pick<Queue, "nextDue"> };
  readonly sandbox: Pick<Sandbox, "history">;
}

export type Rest = { readonly kind: "rest" } | { readonly kind: "restless"; readonly why: string };

export async function runUntilIdle(
  stack: Resting,
  watch: {
    readonly lastReport: () => TickReport | undefined;
    readonly afterTurn: () => Promise<"go_on" | "enough">;
  },
): Promise<Rest> {
  const { clock, reconciler, dependencies } = stack;
  clock.leapTo(after(clock.now(), deliveryMs));
  for (let turns = 0; turns < turnsMax; turns++) {
    if ((await reconciler.processNext()) === "worked") {
      if ((await watch.afterTurn()) === "enough") return { kind: "rest" };
      continue;
    }
    if (isQuiet(stack, watch.lastReport()) && (await dependencies.queue.nextDue(longWork)) === undefined)
      return { kind: "rest" };
    const due = await dependencies.queue.nextDue(queueNames);
    if (due === undefined) return { kind: "restless", why: "nothing is left to do, and no check is scheduled" };
    clock.leapTo(due);
  }
  return { kind: "restless", why: `the work did not end within ${turnsMax} turns` };
}

const longWork: readonly QueueName[] = queueNames.filter((name) => name !== "tick");

function isQuiet({ sandbox }: Resting, report: TickReport | undefined): boolean {
  if (report?.kind !== "looked") return false;
  if (report.situation.merge.kind === "done") return true;
  const lastChange = sandbox.history.at(-1)?.at ?? instant(0);
  return (
    report.seen.observedAt >= after(lastChange, quietMs) &&
    report.did.every(({ action }) => action.kind === "look_again")
  );
}
