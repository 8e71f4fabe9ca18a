import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import * as z from "zod";
import { hasCode } from "#core/error-code.ts";

/** A process, told apart from one that gets the same number later. */
export const LockOwner = z.object({
  pid: z.int().positive(),
  /** In the system's own count since it started; null where the system does not tell. */
  startedAt: z.string().nullable(),
  /** One life of the system. */
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

/**
 * `unseen`: it runs, or ran, where we cannot look. Another life of a machine with our name may be another machine, on the
 * same disk: names are given anew with each pod. And where systems do not tell their lives apart, the name is all there is.
 */
export function judgeOwner(owner: LockOwner, us: LockOwner): "alive" | "dead" | "unseen" {
  const isHere = owner.host === us.host && owner.boot === us.boot && owner.pidSpace === us.pidSpace;
  if (!isHere) return "unseen";
  if (!isRunning(owner.pid)) return "dead";
  return owner.startedAt === null || owner.startedAt === findStart(owner.pid) ? "alive" : "dead";
}

export function readOwner(text: string): LockOwner | undefined {
  return LockOwner.safeParse(orNull((): unknown => JSON.parse(text))).data;
}

/** Behind the name, which may hold anything, come the fields from the third on: the state. The start is the 22nd. */
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

/** It has ended, and its parent has not collected its status. Until then it keeps its number and can be signalled. */
const endedStates: ReadonlySet<string | null> = new Set(["Z", "X", "x"]);

function isRunning(pid: number): boolean {
  if (endedStates.has(findField(pid, stateField))) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It belongs to another user, or it is not there.
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
