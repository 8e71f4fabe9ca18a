import { z } from "zod";
import { type Caps, capsOf, isCapped } from "#core/budget/budgets.ts";
import type { OfferChoice } from "#core/budget/choose-offer.ts";
import type { Spend } from "#core/budget/spend.ts";
import type { HeadSha } from "#core/model/ids.ts";
import { after, hourMs } from "#core/model/instant.ts";
import type { JobContext } from "#jobs/job-context.ts";
import { toWholeMicroUsd } from "#jobs/paid-call.ts";
import { findStep, rememberStep } from "#jobs/remember-step.ts";
import { createSpendWriter } from "#jobs/spend-writer.ts";
import type { DeliveryMode, ModelCall } from "#ports/model.ts";
import { type PullRef, pullKeyOf } from "#ports/pull-ref.ts";

/** What one piece of work may spend, and has spent. */
export interface BudgetAccount {
  /** Takes the first offer that the caps allow, and sets its cost aside. */
  reserve(offers: readonly OfferPrice[]): Promise<OfferChoice>;
  /**
   * Reserves again the remaining cost of an offer that was taken before, regardless of the caps, because it will be
   * billed.
   */
  renewReservation(offer: OfferPrice): Promise<void>;
  /** Writes a call down, in the background: `flush` waits for it. */
  readonly onCall: (call: ModelCall) => void;
  /** Whether the rest of the work may be paid for. Its cost takes the place of what was set aside. */
  readonly mayContinue: (restMicroUsd: number | null) => Promise<boolean>;
  /** All calls that were told are written down. It rejects where one could not be. */
  flush(): Promise<void>;
  /** The work has ended. Answers with all that it has cost, attempts that died included. */
  settle(): Promise<number>;
}

export interface OfferPrice {
  readonly costMicroUsd: number | null;
  readonly delivery: DeliveryMode;
}

export interface BudgetAccountOwner {
  readonly pull: PullRef;
  readonly head: HeadSha | null;
  /** Null for what is no review. */
  readonly role: string | null;
  /** Where a job has more than one, this one's own; a new one begins to count at nothing. */
  readonly name?: string;
}

/**
 * How long a reservation lasts after a crash. One part of a change is done within an hour, and each further part renews
 * it. Providers answer a batch within a day, and the rest is for noticing its end.
 */
const holdMs: Readonly<Record<DeliveryMode, number>> = { now: hourMs, batch: 26 * hourMs };

const usualName = "purse";

/** Whether something may have been paid for by this job. */
export async function hasBudgetAccount(context: JobContext): Promise<boolean> {
  return (await findStep(context, { name: usualName, schema: z.string() })) !== undefined;
}

/** The purse of a job. A worker that takes the job over has the same one, until the job has ended. */
export async function openBudgetAccount(
  context: JobContext,
  { pull, head, role, name = usualName }: BudgetAccountOwner,
): Promise<BudgetAccount> {
  const { store, clock, random, instance } = context.dependencies;
  const work = await rememberStep(
    context,
    { name, schema: z.string() },
    async () => `${context.key} ${random.token()}`,
  );
  const holder = random.token();
  const caps = (): Caps | null => capsInForce(context);
  const reserve = async (capped: Caps, wanted: readonly OfferPrice[]): Promise<OfferChoice> => {
    const now = clock.now();
    const whose = { instance, repository: pull.repository, pull: pull.number };
    const offers = wanted.map(({ costMicroUsd, delivery }) => ({ costMicroUsd, until: after(now, holdMs[delivery]) }));
    const stored = await store.findPull(pullKeyOf(instance, pull));
    // The records learn of it when the work has ended.
    const pullSpentMin = (stored?.records.spentMicroUsd ?? 0) + (await store.findSpent(work));
    return await store.reserve({ work, holder, place: whose, pullSpentMin, caps: capped, offers, now });
  };
  const writer = createSpendWriter(context);
  return {
    reserve: async (offers) => {
      const capped = caps();
      if (capped === null) return { kind: "taken", index: 0, costMicroUsd: offers[0]?.costMicroUsd ?? 0 };
      return await reserve(capped, offers);
    },
    renewReservation: async ({ costMicroUsd, delivery }) => {
      if (caps() === null || costMicroUsd === null) return;
      await writer.flush();
      const rest = Math.max(0, costMicroUsd - (await store.findSpent(work)));
      await reserve(noCaps, [{ costMicroUsd: rest, delivery }]);
    },
    onCall: (call) => writer.write(spendOf(context, { call, work, pull, head, role })),
    mayContinue: async (costMicroUsd) => {
      const capped = caps();
      if (capped === null) return true;
      // Another worker may have the work, and the reservation with it.
      if (context.signal.aborted) return false;
      await writer.flush();
      return (await reserve(capped, [{ costMicroUsd, delivery: "now" }])).kind === "taken";
    },
    flush: async () => await writer.flush(),
    settle: async () => {
      await writer.flush();
      await store.endReservation({ work, holder: context.signal.aborted ? holder : null });
      return await store.findSpent(work);
    },
  };
}

const noCaps: Caps = { pull: null, repositoryDay: null, day: null, allowsUnpriced: false };

function capsInForce({ dependencies }: JobContext): Caps | null {
  const caps = dependencies.budgets === undefined ? null : capsOf(dependencies.budgets());
  return caps !== null && isCapped(caps) ? caps : null;
}

interface Told extends Pick<BudgetAccountOwner, "pull" | "head" | "role"> {
  readonly call: ModelCall;
  readonly work: string;
}

function spendOf({ dependencies }: JobContext, { call, work, pull, head, role }: Told): Spend {
  const { id, delivery = "now", costMicroUsd, ...rest } = call;
  return {
    ...rest,
    // Two servers may give their batches the same names.
    id: `${work} ${id ?? dependencies.random.token()}`,
    work,
    instance: dependencies.instance,
    repository: pull.repository,
    pull: pull.number,
    head,
    role,
    costMicroUsd: toWholeMicroUsd(costMicroUsd),
    delivery,
    at: dependencies.clock.now(),
  };
}
