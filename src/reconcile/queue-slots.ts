import { type QueueName, queueNames } from "#ports/queue.ts";

/** Each queue has a slot of its own and shares the others, so that no kind of work can block another one. */
export interface QueueSlots {
  open(): readonly QueueName[];
  begin(queue: QueueName): void;
  end(queue: QueueName): void;
  /** A worker that waits for its turn to write takes no slot. */
  noteWaiting(change: 1 | -1): void;
}

/** Waiting workers hold observations in memory. Those beyond this number count as working. */
export const waitingMax = 32;

export function createQueueSlots({
  workers,
  onOpened,
}: {
  /** Per queue, at least one. */
  readonly workers: number;
  /** Called when something may begin that could not when it was asked last. */
  readonly onOpened: () => void;
}): QueueSlots {
  const running = new Map<QueueName, number>();
  let waiting = 0;
  let isOpenToAll = true;
  const change = (queue: QueueName, by: 1 | -1): void => {
    running.set(queue, (running.get(queue) ?? 0) + by);
  };
  const tellIfOpened = (): void => {
    if (!isOpenToAll) onOpened();
  };
  return {
    open: () => {
      const open = openQueues(running, { workers, waiting });
      isOpenToAll = open.length === queueNames.length;
      return open;
    },
    begin: (queue) => change(queue, 1),
    end: (queue) => {
      change(queue, -1);
      tellIfOpened();
    },
    noteWaiting: (by) => {
      waiting += by;
      if (by > 0) tellIfOpened();
    },
  };
}

export function openQueues(
  running: ReadonlyMap<QueueName, number>,
  { workers, waiting }: { readonly workers: number; readonly waiting: number },
): readonly QueueName[] {
  const countOf = (queue: QueueName): number => running.get(queue) ?? 0;
  const shared = queueNames.reduce((sum, queue) => sum + Math.max(0, countOf(queue) - 1), 0);
  const isRoomForAll = shared - Math.min(waiting, waitingMax) < workers - 1;
  return isRoomForAll ? queueNames : queueNames.filter((queue) => countOf(queue) === 0);
}
