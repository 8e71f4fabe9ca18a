import type { Clock } from "#ports/clock.ts";

export interface GroupCommit<Item> {
  /** `busy`: too many wait, it took too long, or the write failed. It may have been written all the same. */
  accept(item: Item): Promise<GroupAnswer>;
  countWaiting(): number;
}

export type GroupAnswer = "accepted" | "busy";

export interface GroupLimits {
  readonly waitingMax: number;
  readonly waitMsMax: number;
  readonly groupMax: number;
}

export interface GroupCommitOptions<Item> {
  readonly clock: Clock;
  readonly limits: GroupLimits;
  /** All or nothing. Resolves when it has survived a crash. Called again only after the last call has ended. */
  readonly write: (items: readonly Item[]) => Promise<void>;
  readonly onFailure: (error: unknown, count: number) => void;
}

/** All that comes during a commit is the next one. A timer of three milliseconds only made callers wait longer. */
export function createGroupCommit<Item>(options: GroupCommitOptions<Item>): GroupCommit<Item> {
  const { clock, limits } = options;
  const line: Line<Item> = { waiting: [], writing: [], isRunning: false, round: 0 };
  const run = async (): Promise<void> => {
    line.isRunning = true;
    const idle = new AbortController();
    const watching = sendOverdueAway(line, { clock, limits, idle: idle.signal });
    while (line.waiting.length > 0) {
      await everythingAtHand();
      await writeGroup(line, options);
    }
    line.isRunning = false;
    idle.abort();
    await watching;
  };
  return {
    accept: (item) =>
      new Promise((resolve) => {
        if (line.waiting.length >= limits.waitingMax) return resolve("busy");
        line.waiting.push({ item, round: line.round, answer: resolve });
        if (!line.isRunning) void run();
      }),
    countWaiting: () => line.waiting.length + line.writing.length,
  };
}

interface Line<Item> {
  waiting: Waiter<Item>[];
  writing: readonly Waiter<Item>[];
  isRunning: boolean;
  /** Measures overdue waits without a clock, which could go back. */
  round: number;
}

interface Waiter<Item> {
  readonly item: Item;
  readonly round: number;
  answer(answer: GroupAnswer): void;
}

/** The embedded engine blocks this thread. Reads all that has arrived first, or each write would have one item. */
function everythingAtHand(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Those who wait behind a failure stay, and the next write may succeed. */
async function writeGroup<Item>(line: Line<Item>, options: GroupCommitOptions<Item>): Promise<void> {
  const { limits, write, onFailure } = options;
  line.writing = line.waiting.slice(0, limits.groupMax);
  line.waiting = line.waiting.slice(limits.groupMax);
  let answer: GroupAnswer = "accepted";
  try {
    await write(line.writing.map(({ item }) => item));
  } catch (error) {
    answer = "busy";
    onFailure(error, line.writing.length);
  }
  for (const waiter of line.writing) waiter.answer(answer);
  line.writing = [];
}

/** A wait ends within the last of so many parts of it. */
const roundsPerWait = 4;

/** A write that does not end must block neither its own callers nor those behind it. */
async function sendOverdueAway<Item>(line: Line<Item>, watch: Watch): Promise<void> {
  const { clock, limits, idle } = watch;
  for (;;) {
    await clock.sleep(limits.waitMsMax / roundsPerWait, idle);
    if (idle.aborted) return;
    line.round++;
    const isOverdue = ({ round }: Waiter<Item>): boolean => line.round - round >= roundsPerWait;
    for (const waiter of [...line.writing, ...line.waiting]) if (isOverdue(waiter)) waiter.answer("busy");
    line.waiting = line.waiting.filter((waiter) => !isOverdue(waiter));
  }
}

interface Watch {
  readonly clock: Clock;
  readonly limits: GroupLimits;
  readonly idle: AbortSignal;
}
