import { compareText } from "#core/compare-text.ts";
import { after, type Instant } from "#core/model/instant.ts";
import { never } from "#core/never.ts";
import { type PullKey, pullNumberOf } from "#ports/pull-ref.ts";
import type { DesiredGate, Obligation, ObligationKey, Store, StoredPull } from "#ports/store.ts";
import { createMemorySpending } from "#store/memory-spending.ts";
import { jsonOf } from "#store/stored-json.ts";

export interface MemoryStore extends Store {
  lose(): void;
}

/** Nothing waits, so every call is atomic. Readonly values are not copied; steps have no type and are kept as JSON. */
export function createMemoryStore(): MemoryStore {
  const parts = [
    pullPart(),
    obligationPart(),
    stepPart(),
    pacePart(),
    gatePart(),
    digestPart(),
    createMemorySpending(),
  ] as const;
  const [pulls, obligations, steps, pace, gates, digests, spending] = parts;
  const forgetEnded: Store["forgetEnded"] = async ({ before, countMax }) => {
    const gone = pulls.listEnded(before).slice(0, countMax);
    for (const pull of gone) for (const part of [pulls, obligations, steps, gates, digests]) part.forget(pull);
    return gone.length;
  };
  return {
    ...pulls.calls,
    ...obligations.calls,
    ...steps.calls,
    ...pace.calls,
    ...gates.calls,
    ...digests.calls,
    ...spending.calls,
    forgetEnded,
    isOutdated: async () => false,
    lose: () => {
      for (const part of parts) part.lose();
    },
  };
}

interface Part<Name extends keyof Store> {
  readonly calls: Pick<Store, Name>;
  lose(): void;
}

interface PullPart<Name extends keyof Store> extends Part<Name> {
  forget(pull: PullKey): void;
}

interface EndingPulls extends PullPart<"findPull" | "savePull" | "markEnded"> {
  listEnded(before: Instant): readonly PullKey[];
}

function pullPart(): EndingPulls {
  const pulls = new Map<PullKey, StoredPull>();
  const ended = new Map<PullKey, Instant>();
  return {
    calls: {
      findPull: async (pull) => pulls.get(pull),
      savePull: async ({ pull, content, expectedVersion }) => {
        if ((pulls.get(pull)?.version ?? 0) !== expectedVersion) return "stale";
        pulls.set(pull, { ...content, version: expectedVersion + 1 });
        ended.delete(pull);
        return "saved";
      },
      markEnded: async ({ pull, version, at }) => {
        if (pulls.get(pull)?.version === version && !ended.has(pull)) ended.set(pull, at);
      },
    },
    listEnded: (before) => {
      const old = [...ended].filter(([, at]) => at < before);
      return old.sort(([, left], [, right]) => left - right).map(([pull]) => pull);
    },
    forget: (pull) => {
      pulls.delete(pull);
      ended.delete(pull);
    },
    lose: () => {
      pulls.clear();
      ended.clear();
    },
  };
}

type ObligationCall =
  | "ensureObligation"
  | "findObligation"
  | "leaseObligation"
  | "changeObligation"
  | "findOpenObligations"
  | "listObligations";

function obligationPart(): PullPart<ObligationCall> {
  const ledgers = new Map<PullKey, Map<ObligationKey, Obligation>>();
  const ledgerOfKey = new Map<ObligationKey, Map<ObligationKey, Obligation>>();
  const find = (key: ObligationKey): Obligation | undefined => ledgerOfKey.get(key)?.get(key);
  const keep = (obligation: Obligation): Obligation => {
    const ledger = ledgerOfKey.get(obligation.key) ?? ledgers.get(obligation.pull) ?? new Map();
    ledgers.set(obligation.pull, ledger);
    ledgerOfKey.set(obligation.key, ledger.set(obligation.key, obligation));
    return obligation;
  };
  const list = (pull: PullKey): readonly Obligation[] => [...(ledgers.get(pull)?.values() ?? [])];
  return {
    calls: {
      ensureObligation: async (made) => {
        const state = { kind: "ready", notBefore: null, refusal: null } as const;
        return find(made.key) ?? keep({ ...made, state, lease: null, text: null, attempts: 0 });
      },
      findObligation: async (key) => find(key),
      leaseObligation: async ({ key, lease, now }) => {
        const found = find(key);
        if (found === undefined || (found.lease !== null && found.lease.until > now)) return null;
        return keep({ ...found, lease });
      },
      changeObligation: async ({ key, token, change }) => {
        const found = find(key);
        if (found === undefined || found.lease?.token !== token) return "lost";
        keep({ ...found, ...change });
        return "changed";
      },
      findOpenObligations: async (pull) => list(pull).filter(isOpen),
      listObligations: async (pull) => list(pull),
    },
    forget: (pull) => {
      for (const key of ledgers.get(pull)?.keys() ?? []) ledgerOfKey.delete(key);
      ledgers.delete(pull);
    },
    lose: () => {
      ledgers.clear();
      ledgerOfKey.clear();
    },
  };
}

function isOpen({ state, attempts }: Obligation): boolean {
  switch (state.kind) {
    case "sending":
    case "unknown":
      return true;
    case "done":
      return !state.isNoted;
    case "ready":
      return attempts > 0;
    default:
      return never(state);
  }
}

function stepPart(): PullPart<"findStep" | "saveStep" | "forgetSteps"> {
  const jobs = new Map<string, Map<string, string>>();
  const find = (job: string, step: string): unknown => {
    const text = jobs.get(job)?.get(step);
    return text === undefined ? undefined : JSON.parse(text);
  };
  return {
    calls: {
      findStep: async ({ job, step }) => find(job, step),
      saveStep: async ({ job, step }, result) => {
        const steps = jobs.get(job) ?? new Map<string, string>();
        if (!steps.has(step)) jobs.set(job, steps.set(step, jsonOf(result)));
        return find(job, step);
      },
      forgetSteps: async (job) => {
        jobs.delete(job);
      },
    },
    forget: (pull) => {
      for (const job of jobs.keys()) if (job.startsWith(`${pull}/`)) jobs.delete(job);
    },
    lose: () => jobs.clear(),
  };
}

function pacePart(): Part<"findPause" | "extendPause" | "reserveWriteSlot"> {
  const pauses = new Map<string, Instant>();
  const turns = new Map<string, Instant>();
  return {
    calls: {
      findPause: async ({ instance, now }) => {
        const until = pauses.get(instance);
        return until !== undefined && until > now ? until : undefined;
      },
      extendPause: async ({ instance, until }) => {
        const held = pauses.get(instance);
        if (held === undefined || until > held) pauses.set(instance, until);
      },
      reserveWriteSlot: async ({ instance, now, gapMs, noLaterThan, aheadMsMax }) => {
        const last = turns.get(instance);
        const isBelieved = last !== undefined && last <= after(now, aheadMsMax);
        const free = last === undefined ? now : after(isBelieved ? last : now, gapMs);
        const turn = free > now ? free : now;
        if (turn > noLaterThan) return null;
        turns.set(instance, turn);
        return turn;
      },
    },
    lose: () => {
      pauses.clear();
      turns.clear();
    },
  };
}

function gatePart(): PullPart<"saveDesiredGate" | "findDesiredGates"> {
  const wishes = new Map<PullKey, DesiredGate>();
  return {
    calls: {
      saveDesiredGate: async (pull, wish) => {
        if (wish === null) wishes.delete(pull);
        else wishes.set(pull, wish);
      },
      findDesiredGates: async ({ repository, head }) =>
        [...wishes]
          .filter(([, wish]) => wish.repository === repository && wish.head === head)
          .sort(([left], [right]) => compareText(left, right))
          .map(([pull, wish]) => ({ ...wish, pull })),
    },
    forget: (pull) => {
      wishes.delete(pull);
    },
    lose: () => wishes.clear(),
  };
}

function digestPart(): PullPart<"findDigests" | "saveDigests" | "listDigested" | "forgetDigests"> {
  const digests = new Map<PullKey, string>();
  return {
    calls: {
      findDigests: async (pulls) => {
        const found = new Map<PullKey, string>();
        for (const pull of pulls) {
          const digest = digests.get(pull);
          if (digest !== undefined) found.set(pull, digest);
        }
        return found;
      },
      saveDigests: async (saved) => {
        for (const [pull, digest] of saved) digests.set(pull, digest);
      },
      listDigested: async (keysStart) =>
        [...digests.keys()].filter((pull) => pull.startsWith(keysStart)).map(pullNumberOf),
      forgetDigests: async (pulls) => {
        for (const pull of pulls) digests.delete(pull);
      },
    },
    forget: (pull) => {
      digests.delete(pull);
    },
    lose: () => digests.clear(),
  };
}
