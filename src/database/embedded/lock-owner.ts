import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import * as z from "zod";
import { hasCode } from "#core/error-code.ts";

/** Tells a process from a later one with the same number. */
export const LockOwner = z.object({
  pid: z.int().positive(),
  /** In the system's own count since it started. Null: the system does not tell. */
  startedAt: z.string().nullable(),
  /** Identifies one boot of the system. */
  boot: z.string().nullable(),
  /** Process numbers mean something only within it: each container has its own. */
  pidSpace: z.string().nullable(),
  host: z.string(),
});
export type LockOwner = Readonly<z.infer<typeof LockOwner>>;

export function thisProcess(): LockOwner {
  return {
    pid: process.pid,
    startedAt: findStart(process.pid),
    boot: orNull(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()),
    pidSpace: orNull(() => readlinkSync("/proc/self/ns/pid")),
    host: hostname(),
  };
}

/** `unseen`: its processes are not visible here. After another boot the name may be another machine's, as with pods. */
export function judgeOwner(owner: LockOwner, us: LockOwner): "alive" | "dead" | "unseen" {
  const isHere = owner.host === us.host && owner.boot === us.boot && owner.pidSpace === us.pidSpace;
  if (!isHere) return "unseen";
  if (!isRunning(owner.pid)) return "dead";
  return owner.startedAt === null || owner.startedAt === findStart(owner.pid) ? "alive" : "dead";
}

export function readOwner(text: string): LockOwner | undefined {
  return LockOwner.safeParse(orNull((): unknown => JSON.parse(text))).data;
}

/** Fields from the third on follow the process name, which may hold anything. The start is the 22nd. */
const stateField = 3 - 3;
const startField = 22 - 3;

function findStart(pid: number): string | null {
  return findField(pid, startField);
}

function findField(pid: number, field: number): string | null {
  return orNull(() => {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[field] ?? null;
  });
}

/** A zombie keeps its number and can be signalled. */
const endedStates: ReadonlySet<string | null> = new Set(["Z", "X", "x"]);

function isRunning(pid: number): boolean {
  if (endedStates.has(findField(pid, stateField))) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs, and belongs to another user.
    return hasCode(error, "EPERM");
  }
}

function orNull<T>(find: () => T): T | null {
  try {
    return find();
  } catch {
    return null;
  }
}
