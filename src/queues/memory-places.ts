import type { BuriedEntry, EntryName, QueueName } from "#ports/queue.ts";
import { type Buried, emptyPlace, type Place } from "#queues/place.ts";

/** All places of a queue in memory. */
export interface Places {
  of(name: EntryName): Place;
  set(name: EntryName, place: Place): void;
  in(queue: QueueName): Iterable<readonly [key: string, Place]>;
  buried(): readonly BuriedEntry[];
}

export function createPlaces(): Places {
  const places = new Map<QueueName, Map<string, Place>>();
  return {
    of: ({ queue, key }) => places.get(queue)?.get(key) ?? emptyPlace,
    set: ({ queue, key }, place) => {
      const keys = places.get(queue) ?? new Map<string, Place>();
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

function shown({ queue, key, buried }: EntryName & { readonly buried: Buried }): BuriedEntry {
  const { payload, priority, attempts, why, since } = buried;
  return { queue, key, payload: JSON.parse(payload), priority, attempts, why, since };
}
