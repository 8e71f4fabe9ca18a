import { findOwnEffects, type OwnEffects } from "#core/effects/own-effects.ts";
import { type OriginText, originText } from "#core/fairness/work-origin.ts";
import type { Instant } from "#core/model/instant.ts";
import type { Records } from "#core/model/records.ts";
import type { ObservedPull } from "#observe/observe.ts";
import type { Dependencies } from "#ports/dependencies.ts";
import type { PullContent } from "#ports/store.ts";

/** One worker's turn at one pull. */
export interface PullContext extends ObservedPull {
  readonly dependencies: Dependencies;
  readonly effects: OwnEffects;
  readonly leaseUntil: () => Instant;
  readonly scheduleCheck: (at: Instant) => void;
}

export function createPullContext(
  dependencies: Dependencies,
  observed: ObservedPull,
  worker: Pick<PullContext, "leaseUntil" | "scheduleCheck">,
): PullContext {
  return { ...observed, ...worker, dependencies, effects: findOwnEffects(observed.seen) };
}

/** The origin whose turns in the queue the work takes. */
export function originOf({ ref, seen }: Pick<PullContext, "ref" | "seen">): OriginText {
  return originText({ repository: ref.repository.id, author: seen.pull.author.id });
}

/** Two workers may write at the same time; each reads again what the other has written. */
const triesMax = 20;

/** `change` may be called more than once, with newer content each time. */
export async function changeContent(
  { dependencies, key }: Pick<PullContext, "dependencies" | "key">,
  change: (content: PullContent) => PullContent,
): Promise<void> {
  for (let tries = 0; tries < triesMax; tries++) {
    const stored = await dependencies.store.findPull(key);
    if (stored === undefined) throw new Error(`${key}: nothing is known of a pull that is being worked on`);
    const { version, ...content } = stored;
    const changed = change(content);
    if (changed === content) return;
    const saved = await dependencies.store.savePull({ pull: key, content: changed, expectedVersion: version });
    if (saved === "saved") return;
  }
  throw new Error(`${key}: the records change faster than they can be written`);
}

export async function changeRecords(
  context: Pick<PullContext, "dependencies" | "key">,
  change: (records: Records) => Records,
): Promise<void> {
  await changeContent(context, (content) => {
    const records = change(content.records);
    return records === content.records ? content : { ...content, records };
  });
}
