import { readdirSync, readFileSync } from "node:fs";

/** What a process has cost so far, as Linux counts it; NaN where nobody counts. */
export interface ProcessCost {
  readonly cpuMs: number;
  readonly rssMb: number;
}

/** The kernel tells times in hundredths of a second, whatever its own clock does. */
const msPerTick = 10;
const bytesPerPage = 4096;

export function readProcessCost(pid: number): ProcessCost {
  const { user, system, pages } = readStat(pid);
  return { cpuMs: (user + system) * msPerTick, rssMb: (pages * bytesPerPage) / 1e6 };
}

/** Of a process and all that it ever started, those that have ended included. */
export function readFamilyCpuMs(pid: number): number {
  const { user, system, endedUser, endedSystem } = readStat(pid);
  const children = allPids()
    .map(readStat)
    .filter(({ parent }) => parent === pid);
  const living = children.reduce((sum, child) => sum + child.user + child.system, 0);
  return (user + system + endedUser + endedSystem + living) * msPerTick;
}

export function parentOf(pid: number): number {
  return readStat(pid).parent;
}

interface Stat {
  readonly parent: number;
  readonly user: number;
  readonly system: number;
  /** Of children that have ended. */
  readonly endedUser: number;
  readonly endedSystem: number;
  readonly pages: number;
}

function readStat(pid: number): Stat {
  const fields = readFields(pid);
  const [parent = Number.NaN, user = Number.NaN, system = Number.NaN] = [fields[1], fields[11], fields[12]];
  const [endedUser = Number.NaN, endedSystem = Number.NaN, pages = Number.NaN] = [fields[13], fields[14], fields[21]];
  return { parent, user, system, endedUser, endedSystem, pages };
}

/** From the state on, which is the third. The second is the name in brackets and may hold anything, blanks included. */
function readFields(pid: number): readonly number[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text
      .slice(text.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
  } catch {
    return [];
  }
}

function allPids(): readonly number[] {
  try {
    return readdirSync("/proc")
      .map(Number)
      .filter((pid) => Number.isInteger(pid));
  } catch {
    return [];
  }
}
