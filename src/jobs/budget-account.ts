import { z } from "zod";
import { type Caps, capsOf, isCapped } from "#core/budget/budgets.ts";
import type { OfferChoice } from "#core/budget/choose-offer.ts";
import type { Spend } from "#core/budget/spend.ts";
import { errorText } from "#core/error-text.ts";
import { type HeadSha, InstanceId, RepositoryId } from "#core/model/ids.ts";
import { after, hourMs, type Instant, instant } from "#core/model/instant.ts";
import type { JobContext } from "#jobs/job-context.ts";
import { toWholeMicroUsd } from "#jobs/paid-call.ts";
import { findStep, rememberStep } from "#jobs/remember-step.ts";
import type { DeliveryMode, ModelCall } from "#ports/model.ts";
import { type PullRef, pullKeyOf } from "#ports/pull-ref.ts";
import type { Spending } from "#ports/spending.ts";

/**
 * What one piece of work may spend, and has spent: a review, an answer, a session, or one pass of a local review or an
 * evaluation. All accounts work alike; they differ in whose caps hold, and in where the money is counted.
 */
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
  /**
   * The work has ended. Answers with all that it has cost, attempts that died included: at least what its outcome says.
   */
  settle(outcomeMicroUsd?: number): Promise<number>;
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
const reservedMs: Readonly<Record<DeliveryMode, number>> = { now: hourMs, batch: 26 * hourMs };

const defaultName = "purse";

/** Whether something may have been paid for by this job. */
export async function hasBudgetAccount(context: JobContext): Promise<boolean> {
  return (await findStep(context, { name: defaultName, schema: z.string() })) !== undefined;
}

/** The account of a job. A worker that takes the job over has the same one, until the job has ended. */
export async function openBudgetAccount(
  context: JobContext,
  { pull, head, role, name = defaultName }: BudgetAccountOwner,
): Promise<BudgetAccount> {
  const { store, clock, random, instance, log } = context.dependencies;
  const work = await rememberStep(
    context,
    { name, schema: z.string() },
    async () => `${context.key} ${random.token()}`,
  );
  return openAccount({
    spending: store,
    caps: () => capsInForce(context),
    work,
    owner: { instance, repository: pull.repository, pull: pull.number, head, role },
    // The records learn of what this work has cost when it has ended.
    findPullSpent: async () => (await store.findPull(pullKeyOf(instance, pull)))?.records.spentMicroUsd ?? 0,
    now: () => clock.now(),
    token: () => random.token(),
    // Another worker may have the work, and the reservation with it.
    isLost: () => context.signal.aborted,
    onUnwritten: (why) => log.warn({ job: context.key, why }, "a call could not be recorded yet"),
  });
}

/**
 * Accounts of passes that share one cap within one process: they are one pull, whose cap it is. Null: there is no cap. It
 * lasts for one command and has no days, so time stands still in it.
 */
export function openCommandAccounts(spending: Spending, capMicroUsd: number | null): () => BudgetAccount {
  const caps: Caps | null = capMicroUsd === null ? null : { ...noCaps, pull: capMicroUsd };
  let count = 0;
  const token = (): string => `${++count}`;
  return () =>
    openAccount({
      spending,
      caps: () => caps,
      work: token(),
      owner: commandOwner,
      findPullSpent: async () => 0,
      now: () => instant(0),
      token,
      isLost: () => false,
      onUnwritten: () => undefined,
    });
}

const commandOwner: AccountOptions["owner"] = {
  instance: InstanceId.parse("local"),
  repository: { id: RepositoryId.parse("local"), name: "local" },
  pull: 1,
  head: null,
  role: null,
};

interface AccountOptions {
  readonly spending: Spending;
  /** Asked each time, since the operator may change them. Null: nothing is capped. */
  readonly caps: () => Caps | null;
  readonly work: string;
  readonly owner: Pick<Spend, "instance" | "repository" | "pull" | "head" | "role">;
  /** What the pull is known to have cost without this work. */
  readonly findPullSpent: () => Promise<number>;
  readonly now: () => Instant;
  readonly token: () => string;
  readonly isLost: () => boolean;
  readonly onUnwritten: (why: string) => void;
}

function openAccount(options: AccountOptions): BudgetAccount {
  const { spending, caps, work, owner, now } = options;
  const holder = options.token();
  const reserve = async (capped: Caps, wanted: readonly OfferPrice[]): Promise<OfferChoice> => {
    const at = now();
    const offers = wanted.map(({ costMicroUsd, delivery }) => ({
      costMicroUsd,
      until: after(at, reservedMs[delivery]),
    }));
    const pullSpentMin = (await options.findPullSpent()) + (await spending.findSpent(work));
    const { instance, repository, pull } = owner;
    const place = { instance, repository, pull };
    return await spending.reserve({ work, holder, place, pullSpentMin, caps: capped, offers, now: at });
  };
  const writer = createSpendWriter(spending, options.onUnwritten);
  return {
    reserve: async (offers) => {
      const capped = caps();
      if (capped === null) return { kind: "taken", index: 0, costMicroUsd: offers[0]?.costMicroUsd ?? 0 };
      return await reserve(capped, offers);
    },
    renewReservation: async ({ costMicroUsd, delivery }) => {
      if (caps() === null || costMicroUsd === null) return;
      await writer.flush();
      const rest = Math.max(0, costMicroUsd - (await spending.findSpent(work)));
      await reserve(noCaps, [{ costMicroUsd: rest, delivery }]);
    },
    onCall: (call) => writer.write(spendOf(options, call)),
    mayContinue: async (costMicroUsd) => {
      const capped = caps();
      if (capped === null) return true;
      if (options.isLost()) return false;
      await writer.flush();
      return (await reserve(capped, [{ costMicroUsd, delivery: "now" }])).kind === "taken";
    },
    flush: async () => await writer.flush(),
    settle: async (outcomeMicroUsd = 0) => {
      await writer.flush();
      await spending.endReservation({ work, holder: options.isLost() ? holder : null });
      return Math.max(outcomeMicroUsd, await spending.findSpent(work));
    },
  };
}

const noCaps: Caps = { pull: null, repositoryDay: null, day: null, allowsUnpriced: false };

function capsInForce({ dependencies }: JobContext): Caps | null {
  const caps = dependencies.budgets === undefined ? null : capsOf(dependencies.budgets());
  return caps !== null && isCapped(caps) ? caps : null;
}

/** Work whose single calls are not counted, as one call. */
export function wholeCall(
  work: Pick<ModelCall, "model" | "purpose" | "costMicroUsd" | "isPriced" | "ms" | "outcome">,
): ModelCall {
  return { ...work, tokensIn: 0, tokensCached: 0, tokensOut: 0 };
}

function spendOf({ work, owner, now, token }: AccountOptions, call: ModelCall): Spend {
  const { id, delivery = "now", costMicroUsd, ...rest } = call;
  return {
    ...rest,
    ...owner,
    // Two servers may give their batches the same names.
    id: `${work} ${id ?? token()}`,
    work,
    costMicroUsd: toWholeMicroUsd(costMicroUsd),
    delivery,
    at: now(),
  };
}

/** Records calls, one after the other, so that many calls at once do not flood the store. */
export interface SpendWriter {
  /** In the background. What cannot be written yet waits for the next one, or for `flush`. */
  write(spend: Spend): void;
  /** Everything is written down, or it rejects. */
  flush(): Promise<void>;
}

export function createSpendWriter(
  spending: Pick<Spending, "saveSpend">,
  onUnwritten: (why: string) => void,
): SpendWriter {
  let last: Promise<void> = Promise.resolve();
  const waiting: Spend[] = [];
  const writeWaiting = async (): Promise<void> => {
    for (let spend = waiting[0]; spend !== undefined; spend = waiting[0]) {
      await spending.saveSpend(spend);
      waiting.shift();
    }
  };
  return {
    write: (spend) => {
      waiting.push(spend);
      last = last.then(writeWaiting).catch((error: unknown) => onUnwritten(errorText(error)));
    },
    flush: async () => {
      const mine = last.then(writeWaiting);
      last = mine.catch(() => undefined);
      await mine;
    },
  };
}
