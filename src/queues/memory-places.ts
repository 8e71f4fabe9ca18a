import type { EntryRef, QuarantinedEntry, QueueName } from "#ports/queue.ts";
import { emptyKeyState, type KeyState, type Quarantined } from "#queues/key-state.ts";

/** All places of a queue in memory. */
export interface KeyStates {
  of(name: EntryRef): KeyState;
  set(name: EntryRef, place: KeyState): void;
  in(queue: QueueName): Iterable<readonly [key: string, KeyState]>;
  buried(): readonly QuarantinedEntry[];
}

export function createKeyStates(): KeyStates {
  const places = new Map<QueueName, Map<string, KeyState>>();
  return {
    of: ({ queue, key }) => places.get(queue)?.get(key) ?? emptyKeyState,
    set: ({ queue, key }, place) => {
      const keys = places.get(queue) ?? new Map<string, KeyState>();
      if (place.waiting === null && place.running === null && place.buried === null) keys.delete(key);
      else places.set(queue, keys.set(key, place));
    },
    in: (queue) => places.get(queue) ?? [],
    buried: () => {
      const all = [...places].flatMap(([queue, keys]) =>
        [...keys].flatMap(([key, { buried }]) => (buried === null ? [] : [{ queue, key, buried }])),
      );
      return all.sort((left, right) => left.buried.since - right.buried.since).map(shown);
    },
  };
}

function shown({ queue, key, buried }: EntryRef & { readonly buried: Quarantined }): QuarantinedEntry {
  const { payload, priority, attempts, why, since } = buried;
  return { queue, key, payload: JSON.parse(payload), priority, attempts, why, since };
}
