import { linkSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hasCode } from "#core/error-code.ts";
import { DatabaseError } from "#database/database-error.ts";
import { judgeOwner, type LockOwner, readOwner, thisProcess } from "#database/embedded/lock-owner.ts";

/** For processes that cannot see the owner's process. */
const beatMs = 2000;
/** The embedded engine blocks the whole process while it works, so a beat may come late. */
const silentMsMin = 30_000;
const watchPollMs = 500;
const attemptsMax = 100;

export interface FolderLock {
  release(): void;
}

export interface LockOptions {
  readonly folder: string;
  readonly us?: LockOwner;
  readonly silentMs?: number;
  /** Called once when another process took the lock after a long sleep of this one. The folder is no longer ours. */
  readonly onLost?: (error: DatabaseError) => void;
}

/**
 * Two engines in one folder destroy the database. The lock is the file `lock.N` with the highest number. A process that
 * finds its owner gone makes the next number, which only one process can. No number below the highest is ever made again.
 */
export async function takeFolderLock({
  folder,
  us = thisProcess(),
  silentMs = silentMsMin,
  onLost,
}: LockOptions): Promise<FolderLock> {
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const highest = highestIn(folder);
    if (highest > 0 && (await isHeld({ folder, number: highest, us, silentMs }))) {
      throw inUse(folder, highest);
    }
    if (claim({ folder, number: highest + 1, us })) {
      clearBelow(folder, highest + 1);
      return holdLock({ folder, number: highest + 1, us, onLost });
    }
  }
  throw new DatabaseError("in_use", `Too many processes want the folder ${folder} at once. Start one of them.`);
}

interface Place {
  readonly folder: string;
  readonly number: number;
}

const lockName = /^lock\.(\d+)$/;
const draftName = /^lock\.new\./;

function highestIn(folder: string): number {
  return Math.max(0, ...readdirSync(folder).map((name) => Number(lockName.exec(name)?.[1] ?? 0)));
}

function pathOf({ folder, number }: Place): string {
  return join(folder, `lock.${number}`);
}

type LockState =
  | { readonly kind: "gone" }
  | { readonly kind: "free" }
  | { readonly kind: "owned"; readonly owner: LockOwner };

const freeWord = "free\n";

function readLock(place: Place): LockState {
  const text = readOrUndefined(pathOf(place));
  if (text === undefined) return { kind: "gone" };
  if (text === freeWord) return { kind: "free" };
  const owner = readOwner(text);
  if (owner !== undefined) return { kind: "owned", owner };
  throw new DatabaseError(
    "in_use",
    `Nobody can tell who has the folder ${place.folder}: ${pathOf(place)} does not read as a lock. If no Drover uses the folder, remove that file.`,
  );
}

async function isHeld({
  us,
  silentMs,
  ...place
}: Place & { readonly us: LockOwner; readonly silentMs: number }): Promise<boolean> {
  const lock = readLock(place);
  if (lock.kind !== "owned") return false;
  const verdict = judgeOwner(lock.owner, us);
  return verdict === "unseen" ? await isBeating(place, silentMs) : verdict === "alive";
}

/** Clocks of two machines cannot be compared, so it waits for the time of the file to move. */
async function isBeating(place: Place, silentMs: number): Promise<boolean> {
  const before = lastBeat(place);
  const deadline = performance.now() + silentMs;
  while (performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, watchPollMs));
    if (lastBeat(place) !== before) return true;
  }
  return false;
}

function lastBeat(place: Place): number | undefined {
  return statSync(pathOf(place), { throwIfNoEntry: false })?.mtimeMs;
}

/** False if another process was faster. A link appears whole, and only under a free name. */
function claim({ us, ...place }: Place & { readonly us: LockOwner }): boolean {
  const draft = writeDraft(place.folder, JSON.stringify(us));
  try {
    linkSync(draft, pathOf(place));
  } catch (error) {
    if (hasCode(error, "EEXIST") || hasCode(error, "ENOENT")) return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  if (highestIn(place.folder) === place.number) return true;
  // The number was free because a later owner had cleared it away.
  rmSync(pathOf(place), { force: true });
  return false;
}

/** On the disk before it gets its name: after a power cut there is a whole lock or none. */
function writeDraft(folder: string, text: string): string {
  const draft = join(folder, `lock.new.${process.pid}.${Math.random().toString(36).slice(2)}`);
  writeFileSync(draft, text, { flush: true, mode: 0o600 });
  return draft;
}

function clearBelow(folder: string, number: number): void {
  for (const name of readdirSync(folder)) {
    const isOld = Number(lockName.exec(name)?.[1] ?? number) < number;
    // Another process may be about to link this draft; it will notice and try again.
    if (isOld || draftName.test(name)) rmSync(join(folder, name), { force: true });
  }
}

function holdLock({ us, onLost, ...place }: Place & Holder): FolderLock {
  const path = pathOf(place);
  const isOurs = (): boolean => readOrUndefined(path) === JSON.stringify(us);
  const beat = setInterval(() => {
    try {
      if (!isOurs()) {
        clearInterval(beat);
        onLost?.(lockLost(place.folder));
        return;
      }
      const now = new Date();
      utimesSync(path, now, now);
    } catch {
      // A missing beat matters only to those who cannot see the process.
    }
  }, beatMs);
  beat.unref();
  return {
    release: () => {
      clearInterval(beat);
      if (isOurs()) renameSync(writeDraft(place.folder, freeWord), path);
    },
  };
}

interface Holder {
  readonly us: LockOwner;
  readonly onLost: LockOptions["onLost"];
}

function lockLost(folder: string): DatabaseError {
  return new DatabaseError(
    "in_use",
    `The folder ${folder} belongs to another process now. This process was suspended for too long, so another one took the folder over. Stop this process, and start Drover again if you need it.`,
  );
}

function inUse(folder: string, number: number): DatabaseError {
  const place = { folder, number };
  const lock = readLock(place);
  const who = lock.kind === "owned" ? `process ${lock.owner.pid} on ${lock.owner.host}` : "another process";
  const advice =
    "Stop that one first, or give this one another folder; to let several work together, use PostgreSQL (DATABASE_URL), with a folder for each.";
  // Some systems do not tell when a process started, so another one may have got its number.
  const isUnsure = lock.kind === "owned" && lock.owner.startedAt === null;
  const doubt = isUnsure ? ` If that process is no Drover, remove ${pathOf(place)}.` : "";
  return new DatabaseError("in_use", `The folder ${folder} is in use by ${who}. ${advice}${doubt}`);
}

function readOrUndefined(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}
