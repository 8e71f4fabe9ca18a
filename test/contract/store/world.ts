import type { TestContext } from "vitest";
import { InstanceId, RepositoryId } from "#core/model/ids.ts";
import { type PullKey, pullKeyOf } from "#ports/pull-ref.ts";
import { type NewObligation, obligationKeyOf, type PullContent, type Store } from "#ports/store.ts";
import { at, sha, someRecords } from "#testing/makers.ts";

/** Two workers on the same database: what holds for one must hold for both. */
export type Stores = readonly [Store, Store];

/** One implementation of the port. Tests of a file share it, and keep apart by their keys. */
export interface World {
  readonly name: string;
  /** Skips the test where the machine lacks something. */
  need(test: Pick<TestContext, "skip">): void;
  open(): Promise<OpenWorld>;
  /** How many of so many runs of a property this one is quick enough for. */
  runs(many: number): number;
}

export interface OpenWorld {
  readonly stores: Stores;
  close(): Promise<void>;
}

/** A pull that no other test knows, as long as the name is its own. */
export function pullNamed(name: string): PullKey {
  const repository = { id: RepositoryId.parse(name), name: "acme/tools" };
  return pullKeyOf(InstanceId.parse("test"), { repository, number: 1 });
}

/** What is known of a pull; two of different `spent` are different everywhere. */
export function someContent(spent: number): PullContent {
  return frozen({
    records: someRecords({ spentMicroUsd: spent, escalations: [`spent ${spent}`] }),
    blocks: { managed: { revision: spent, digest: `digest ${spent}` } },
    sight: { changedAt: at(spent), remarks: [`remark ${spent}`], missingSince: null },
  });
}

export function someObligation(pull: PullKey, over: Partial<NewObligation> = {}): NewObligation {
  const effect = over.effect ?? "answer/c1";
  return frozen({
    key: obligationKeyOf(pull, effect),
    pull,
    effect,
    kind: "answer",
    lane: "conversation",
    head: sha(1),
    why: { askedBy: "ada", rule: "questions are answered", inputs: ["c1"] },
    note: { kind: "none" },
    createdAt: at(0),
    ...over,
  });
}

/** Nobody changes what they were given or gave: whoever tries fails loudly. */
export function frozen<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}
