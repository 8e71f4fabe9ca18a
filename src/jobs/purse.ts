import { z } from "zod";
import { type Caps, capsOf, isCapped } from "#core/budget/budgets.ts";
import type { Choice } from "#core/budget/choose-offer.ts";
import type { Spend } from "#core/budget/spend.ts";
import type { HeadSha } from "#core/model/ids.ts";
import { after, hourMs } from "#core/model/instant.ts";
import type { JobPlace } from "#jobs/job.ts";
import { wholeCost } from "#jobs/paid-for.ts";
import { findStep, rememberStep } from "#jobs/remember-step.ts";
import { createSpendWriter } from "#jobs/spend-writer.ts";
import type { Delivery, ModelCall } from "#ports/model.ts";
import { type PullRef, pullKeyOf } from "#ports/pull-ref.ts";

/** What one piece of work may spend, and has spent. */
export interface Purse {
  /** Takes the first offer that the caps allow, and sets its cost aside. */
  choose(offers: readonly Priced[]): Promise<Choice>;
  /** Sets aside again what an offer that was taken before will still cost, whatever the caps say: it will be billed. */
  keep(offer: Priced): Promise<void>;
  /** Writes a call down, in the background: `flush` waits for it. */
  readonly onCall: (call: ModelCall) => void;
  /** Whether the rest of the work may be paid for. Its cost takes the place of what was set aside. */
  readonly mayGoOn: (restMicroUsd: number | null) => Promise<boolean>;
  /** All calls that were told are written down. It rejects where one could not be. */
  flush(): Promise<void>;
  /** The work has ended. Answers with all that it has cost, attempts that died included. */
  settle(): Promise<number>;
}

export interface Priced {
  readonly costMicroUsd: number | null;
  readonly delivery: Delivery;
}

export interface PurseOwner {
  readonly pull: PullRef;
  readonly head: HeadSha | null;
  /** Null for what is no review. */
  readonly role: string | null;
  /** Where a job has more than one, this one's own; a new one begins to count at nothing. */
  readonly name?: string;
}

/**
 * How long money is held for somebody who may have died. One part of a change is done within an hour, and each further
 * one begins it anew; providers answer a batch within a day, and the rest is for us to notice.
 */
const holdMs: Readonly<Record<Delivery, number>> = { now: hourMs, batch: 26 * hourMs };

const usualName = "purse";

/** Whether something may have been paid for by this job. */
export async function hasPurse(place: JobPlace): Promise<boolean> {
  return (await findStep(place, { name: usualName, schema: z.string() })) !== undefined;
}

/** The purse of a job. A worker that takes the job over has the same one, until the job has ended. */
export async function openPurse(place: JobPlace, { pull, head, role, name = usualName }: PurseOwner): Promise<Purse> {
  const { store, clock, random, instance } = place.parts;
  const work = await rememberStep(place, { name, schema: z.string() }, async () => `${place.key} ${random.token()}`);
  const holder = random.token();
  const caps = (): Caps | null => capsInForce(place);
  const reserve = async (capped: Caps, wanted: readonly Priced[]): Promise<Choice> => {
    const now = clock.now();
    const whose = { instance, repository: pull.repository, pull: pull.number };
    const offers = wanted.map(({ costMicroUsd, delivery }) => ({ costMicroUsd, until: after(now, holdMs[delivery]) }));
    const stored = await store.findPull(pullKeyOf(instance, pull));
    // The records learn of it when the work has ended.
    const pullSpentMin = (stored?.records.spentMicroUsd ?? 0) + (await store.findSpent(work));
    return await store.reserve({ work, holder, place: whose, pullSpentMin, caps: capped, offers, now });
  };
  const writer = createSpendWriter(place);
  return {
    choose: async (offers) => {
      const capped = caps();
      if (capped === null) return { kind: "taken", index: 0, costMicroUsd: offers[0]?.costMicroUsd ?? 0 };
      return await reserve(capped, offers);
    },
    keep: async ({ costMicroUsd, delivery }) => {
      if (caps() === null || costMicroUsd === null) return;
      await writer.flush();
      const rest = Math.max(0, costMicroUsd - (await store.findSpent(work)));
      await reserve(noCaps, [{ costMicroUsd: rest, delivery }]);
    },
    onCall: (call) => writer.write(spendOf(place, { call, work, pull, head, role })),
    mayGoOn: async (costMicroUsd) => {
      const capped = caps();
      if (capped === null) return true;
      // Somebody else may have the work, and the money with it.
      if (place.signal.aborted) return false;
      await writer.flush();
      return (await reserve(capped, [{ costMicroUsd, delivery: "now" }])).kind === "taken";
    },
    flush: async () => await writer.flush(),
    settle: async () => {
      await writer.flush();
      await store.endReservation({ work, holder: place.signal.aborted ? holder : null });
      return await store.findSpent(work);
    },
  };
}

const noCaps: Caps = { pull: null, repositoryDay: null, day: null, allowsUnpriced: false };

function capsInForce({ parts }: JobPlace): Caps | null {
  const caps = parts.budgets === undefined ? null : capsOf(parts.budgets());
  return caps !== null && isCapped(caps) ? caps : null;
}

interface Told extends Pick<PurseOwner, "pull" | "head" | "role"> {
  readonly call: ModelCall;
  readonly work: string;
}

function spendOf({ parts }: JobPlace, { call, work, pull, head, role }: Told): Spend {
  const { id, delivery = "now", costMicroUsd, ...rest } = call;
  return {
    ...rest,
    // Two servers may give their batches the same names.
    id: `${work} ${id ?? parts.random.token()}`,
    work,
    instance: parts.instance,
    repository: pull.repository,
    pull: pull.number,
    head,
    role,
    costMicroUsd: wholeCost(costMicroUsd),
    delivery,
    at: parts.clock.now(),
  };
}
