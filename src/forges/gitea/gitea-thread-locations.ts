import type { ThreadId } from "#core/model/ids.ts";
import { giteaLimits } from "#forges/gitea/gitea-limits.ts";
import type { PlacedThread, ThreadLocation } from "#forges/gitea/gitea-threads.ts";
import type { PullRef } from "#ports/pull-ref.ts";

/** Kept from the last looks, so that a reply need not search. */
export interface ThreadLocations {
  keep(pull: PullRef, threads: readonly PlacedThread[]): void;
  find(pull: PullRef, thread: ThreadId): ThreadLocation | undefined;
}

export function createThreadLocations(): ThreadLocations {
  const places = new Map<string, ThreadLocation>();
  return {
    keep(pull, threads) {
      if (places.size + threads.length > giteaLimits.threadsRememberedMax) places.clear();
      for (const { thread, location } of threads) places.set(keyOf(pull, thread.id), location);
    },
    find: (pull, thread) => places.get(keyOf(pull, thread)),
  };
}

function keyOf({ repository, number }: PullRef, thread: ThreadId): string {
  return `${repository.id}/${number}/${thread}`;
}
