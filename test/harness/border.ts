import type { Dependencies } from "#ports/dependencies.ts";
import { forgeWrites } from "#ports/forge.ts";
import type { BatchedReviewer, Reviewer } from "#ports/reviewer.ts";

/** One side of one call that changes something outside of the worker. */
export interface Crossing {
  /** `forge.createComment`. */
  readonly call: string;
  readonly side: "before" | "after";
}

/** What happens to the worker there: it goes on when the promise is kept, late or never. */
export type Border = (crossing: Crossing) => Promise<void>;

/** Calls that leave something behind; where a worker dies between two of them makes no difference to anybody. */
const writes = {
  forge: forgeWrites,
  store: [
    "savePull",
    "ensureObligation",
    "leaseObligation",
    "changeObligation",
    "saveStep",
    "forgetSteps",
    "extendPause",
    "saveDigests",
    "saveSpend",
    "reserve",
    "endReservation",
  ],
  queue: ["put", "putAll", "claim", "extend", "finish", "retry", "quarantine", "cancel"],
  notifier: ["notify"],
} as const satisfies { readonly [Port in keyof Dependencies]?: readonly (keyof Dependencies[Port])[] };

/** The parts of a worker whose calls cross a border on their way out and on their way back. */
export function withBorder(dependencies: Dependencies, border: Border): Dependencies {
  return {
    ...dependencies,
    forge: watched(dependencies.forge, { name: "forge", calls: writes.forge, border }),
    store: watched(dependencies.store, { name: "store", calls: writes.store, border }),
    queue: watched(dependencies.queue, { name: "queue", calls: writes.queue, border }),
    notifier: watched(dependencies.notifier, { name: "notifier", calls: writes.notifier, border }),
    reviewers: { ...dependencies.reviewers, model: withWatchedBatches(dependencies.reviewers.model, border) },
  };
}

/** What a provider is told about batches leaves something behind, too. */
const batchWrites = ["submit", "cancel", "forget"];

function withWatchedBatches(reviewer: Reviewer | null, border: Border): Reviewer | null {
  const batched = reviewer?.batched;
  if (reviewer === null || batched === undefined) return reviewer;
  const batchesOf: BatchedReviewer["batchesOf"] = (model) => {
    const batches = batched.batchesOf(model);
    return batches === null ? null : watched(batches, { name: "batches", calls: batchWrites, border });
  };
  return { ...reviewer, batched: { ...batched, batchesOf } };
}

interface Watch {
  readonly name: string;
  readonly calls: readonly string[];
  readonly border: Border;
}

function watched<Port extends object>(port: Port, { name, calls, border }: Watch): Port {
  return new Proxy(port, {
    get: (target, key) => {
      const method: unknown = Reflect.get(target, key);
      if (typeof method !== "function" || !calls.includes(String(key))) return method;
      const call = `${name}.${String(key)}`;
      return async (...given: readonly unknown[]) => {
        await border({ call, side: "before" });
        const answer: unknown = await Reflect.apply(method, target, given);
        await border({ call, side: "after" });
        return answer;
      };
    },
  });
}
