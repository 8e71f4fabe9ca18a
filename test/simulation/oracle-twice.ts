import { minuteMs } from "#core/model/instant.ts";
import type { SandboxChange } from "#forges/sandbox/sandbox.ts";
import { readOwnText } from "./own-text.ts";
import type { Installation, World } from "./world.ts";

/**
 * Said once means sent once. That what was sent twice is blanked later is for workers that stood still past their lease;
 * nobody else may need it.
 */
export function twiceProblem(world: World, installation: Installation, change: SandboxChange): string | null {
  const mark = markOf(change);
  if (mark === null || isExcused(world, installation)) return null;
  const earlier = world.sandbox.history.find(
    (other) => other !== change && isByItself(other, change) && markOf(other) === mark && !isDeleted(world, other),
  );
  return earlier === undefined || earlier.at > change.at ? null : "sends again what it has sent already";
}

/** A copy under another name is none of its doing. */
function isByItself(other: SandboxChange, change: SandboxChange): boolean {
  return other.by.id === change.by.id && other.pull?.number === change.pull?.number;
}

/** What somebody deleted before its answer came was never there, as far as anybody can see. */
function isDeleted({ sandbox }: World, { what }: SandboxChange): boolean {
  if (what.kind !== "commented") return false;
  return sandbox.history.some((other) => other.what.kind === "comment_deleted" && other.what.comment === what.comment);
}

function markOf({ what }: SandboxChange): string | null {
  return what.kind === "commented" || what.kind === "reviewed" ? readOwnText(what.body).mark : null;
}

/** As long as a worker that woke up may still be at what it was at. */
const wakeMs = 2 * minuteMs;

/**
 * Nobody can keep a worker that stood still from ending the call that it was in, clocks that differ from breaking each
 * other's leases, or an empty database from having forgotten what is on its way.
 */
export function isExcused(world: World, installation: Installation): boolean {
  const { lastPause, lostAt } = installation;
  const isPaused = lastPause !== null && lastPause.until >= world.scheduler.now() - wakeMs;
  return isPaused || lostAt !== null || (world.figures.counts.faults["clock_jump"] ?? 0) > 0;
}
