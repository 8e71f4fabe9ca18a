import { DatabaseError } from "#database/database-error.ts";
import type { PgliteEngine } from "#database/embedded/pglite-engine.ts";

/** A full disk stays full for a while, and each start reads the whole log. */
const reviveMsMin = 1000;

/** One caller at a time. As PostgreSQL does after a crash, it opens a broken engine again, for the next caller. */
export interface SingleConnection {
  acquire(): Promise<PgliteEngine>;
  release(): void;
  /** Survives a restart of the engine; `onNotice` is then called once, since notices may have been missed. */
  listen(channel: string, onNotice: () => void): Promise<() => Promise<void>>;
  /** Another process has the files, so nothing is written and no engine is opened any more. */
  invalidate(error: DatabaseError): void;
  /** At once: an open transaction is not committed. */
  close(): Promise<void>;
}

export function createSingleConnection(first: PgliteEngine, open: () => Promise<PgliteEngine>): SingleConnection {
  const turns = createTurns();
  const listeners = new Set<Listener>();
  let engine = first;
  let isClosed = false;
  let lost: DatabaseError | undefined;
  let refusal: { readonly error: unknown; readonly until: number } | undefined;
  let revival: Promise<void> | undefined;

  const revive = async (): Promise<void> => {
    await engine.close();
    const next = await open();
    if (lost !== undefined) next.breakOff(lost);
    if (isClosed) return await next.close();
    engine = next;
    for (const listener of listeners) await listenAgain(engine, listener);
  };
  const findLiving = async (): Promise<PgliteEngine> => {
    if (lost !== undefined) throw lost;
    if (!isClosed && engine.isBroken()) {
      if (refusal !== undefined && performance.now() < refusal.until) throw refusal.error;
      revival = revive();
      await revival.catch((error: unknown) => {
        refusal = { error, until: performance.now() + reviveMsMin };
        throw error;
      });
    }
    if (isClosed) throw new DatabaseError("broken", "The embedded database is closed.");
    return engine;
  };
  const enter = async (): Promise<PgliteEngine> => {
    await turns.take();
    try {
      return await findLiving();
    } catch (error) {
      turns.give();
      throw error;
    }
  };
  const visit = async <T>(work: (living: PgliteEngine) => Promise<T>): Promise<T> => {
    const living = await enter();
    try {
      return await work(living);
    } finally {
      turns.give();
    }
  };
  return {
    acquire: enter,
    release: turns.give,
    listen: async (channel, onNotice) => {
      const stop = await visit((living) => living.listen(channel, onNotice));
      const listener: Listener = { channel, onNotice, stop };
      listeners.add(listener);
      return async () => {
        listeners.delete(listener);
        if (!isClosed) await visit(() => listener.stop());
      };
    },
    invalidate: (error) => {
      lost = error;
      engine.breakOff(error);
    },
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      await revival?.catch(() => undefined);
      await engine.close();
    },
  };
}

async function listenAgain(engine: PgliteEngine, listener: Listener): Promise<void> {
  listener.stop = await engine.listen(listener.channel, listener.onNotice);
  listener.onNotice();
}

interface Listener {
  readonly channel: string;
  readonly onNotice: () => void;
  stop: () => Promise<void>;
}

/** First come, first served. Other work runs between two turns: the engine blocks the thread while it works. */
function createTurns(): { readonly take: () => Promise<void>; readonly give: () => void } {
  const waiting: (() => void)[] = [];
  let isTaken = false;
  let rested = Promise.resolve();
  return {
    take: async () => {
      if (isTaken) await new Promise<void>((resolve) => waiting.push(resolve));
      isTaken = true;
      await rested;
    },
    give: () => {
      rested = new Promise((resolve) => setImmediate(resolve));
      const next = waiting.shift();
      if (next === undefined) isTaken = false;
      else next();
    },
  };
}
