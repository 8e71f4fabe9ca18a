import { findOwnEffects, type OwnEffects } from "#core/effects/own-effects.ts";
import { type OriginText, originText } from "#core/fairness/work-origin.ts";
import type { Instant } from "#core/model/instant.ts";
import type { Records } from "#core/model/records.ts";
import type { Observed } from "#observe/observe.ts";
import type { Parts } from "#ports/parts.ts";
import type { PullContent } from "#ports/store.ts";

/** One worker's turn at one pull: what it has seen, what it works with, and until when it may write. */
export interface Turn extends Observed {
  readonly parts: Parts;
  /** What Drover itself has written on the pull, as seen. */
  readonly effects: OwnEffects;
  /** Until when the worker's lease on the pull or the job holds. It moves while the worker lives. */
  readonly leaseUntil: () => Instant;
  /** The pull has to be looked at again then. */
  readonly lookAgain: (at: Instant) => void;
}

export function startTurn(parts: Parts, observed: Observed, worker: Pick<Turn, "leaseUntil" | "lookAgain">): Turn {
  return { ...observed, ...worker, parts, effects: findOwnEffects(observed.seen) };
}

/** Whose turns the work on this pull takes. */
export function originOf({ ref, seen }: Pick<Turn, "ref" | "seen">): OriginText {
  return originText({ repository: ref.repository.id, author: seen.pull.author.id });
}

/** Two workers may write at the same time; each reads again what the other has written. */
const triesMax = 20;

/** Changes what is remembered of the pull. The change may be asked for more than once, with newer content each time. */
export async function changeContent(
  { parts, key }: Pick<Turn, "parts" | "key">,
  change: (content: PullContent) => PullContent,
): Promise<void> {
  for (let tries = 0; tries < triesMax; tries++) {
    const stored = await parts.store.findPull(key);
    if (stored === undefined) throw new Error(`${key}: nothing is known of a pull that is being worked on`);
    const { version, ...content } = stored;
    const changed = change(content);
    if (changed === content) return;
    const saved = await parts.store.savePull({ pull: key, content: changed, expectedVersion: version });
    if (saved === "saved") return;
  }
  throw new Error(`${key}: the records change faster than they can be written`);
}

export async function changeRecords(
  turn: Pick<Turn, "parts" | "key">,
  change: (records: Records) => Records,
): Promise<void> {
  await changeContent(turn, (content) => {
    const records = change(content.records);
    return records === content.records ? content : { ...content, records };
  });
}
