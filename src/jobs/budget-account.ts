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

/** For a review, an answer, a session or a command. They differ in the caps, and in where the money is counted. */
export interface BudgetAccount {
  /** Takes the first offer that the caps allow, and reserves its cost. */
  reserve(offers: readonly OfferPrice[]): Promise<OfferChoice>;
  /** Ignores the caps, because the offer was taken before and will be billed. */
  renewReservation(offer: OfferPrice): Promise<void>;
  /** Writes in the background: `flush` waits for it. */
  readonly onCall: (call: ModelCall) => void;
  /** If so, reserves the cost of the rest in place of the earlier reservation. */
  readonly mayContinue: (restMicroUsd: number | null) => Promise<boolean>;
  flush(): Promise<void>;
  /** Answers with the whole cost, failed attempts included: at least what the outcome says. */
  settle(outcomeMicroUsd?: number): Promise<number>;
}

export interface OfferPrice {
  readonly costMicroUsd: number | null;
  readonly delivery: DeliveryMode;
}

export interface BudgetAccountOwner {
  readonly pull: PullRef;
  readonly head: HeadSha | null;
  readonly role: string | null;
  readonly name?: string;
}

/** After a crash. A batch takes up to a day; each part of a live review takes up to an hour and renews it. */
const reservedMs: Readonly<Record<DeliveryMode, number>> = { now: hourMs, batch: 26 * hourMs };

const defaultName = "purse";

export async function hasBudgetAccount(context: JobContext): Promise<boolean> {
  return (await findStep(context, { name: defaultName, schema: z.string() })) !== undefined;
}

/** A worker that takes the job over continues the account. */
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
    // The records learn the cost of this work when it has ended.
    findPullSpent: async () => (await store.findPull(pullKeyOf(instance, pull)))?.records.spentMicroUsd ?? 0,
    now: () => clock.now(),
    token: () => random.token(),
    // Another worker may have the job, and the reservation with it.
    isLost: () => context.signal.aborted,
    onUnwritten: (why) => log.warn({ job: context.key, why }, "a call could not be recorded yet"),
  });
}

/** The passes of one command share its cap, as one pull would. Time stands still: a command has no days. */
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
    // Two providers may give their batches the same names.
    id: `${work} ${id ?? token()}`,
    work,
    costMicroUsd: toWholeMicroUsd(costMicroUsd),
    delivery,
    at: now(),
  };
}

/** One after the other, so that many calls at once do not flood the store. */
export interface SpendWriter {
  /** In the background. What cannot be written yet waits for the next one, or for `flush`. */
  write(spend: Spend): void;
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
