import { InstanceId } from "#core/model/ids.ts";
import { type Instant, secondMs } from "#core/model/instant.ts";
import { throttledForge } from "#forges/throttled-forge.ts";
import { type Forge, ForgeError } from "#ports/forge.ts";
import { createMemoryStore } from "#store/memory-store.ts";
import { at } from "#testing/makers.ts";
import { createVirtualClock, type VirtualClock } from "#testing/virtual-clock.ts";
import { createRecordingForge, type RecordingForge } from "./recording-forge.ts";

/** One forge, and as many workers as one likes, each with a paced forge of its own. */
export interface Stage {
  readonly clock: VirtualClock;
  readonly recording: RecordingForge;
  readonly worker: (instance?: string, paces?: "one" | "by_owner") => Forge;
}

export const gapMs = secondMs;

export function createStage(): Stage {
  const clock = createVirtualClock(at(0));
  const recording = createRecordingForge(clock);
  const store = createMemoryStore();
  return {
    clock,
    recording,
    worker: (instance = "test", paces = "one") =>
      throttledForge({
        forge: recording.forge,
        store,
        clock,
        instance: InstanceId.parse(instance),
        writeGapMs: gapMs,
        paces,
      }),
  };
}

export function tooMuch(retryAt: Instant | null, isApplied: "no" | "unknown" = "no"): ForgeError {
  return new ForgeError("rate_limited", "acme/tools#12: slow down", { isApplied, retryAt });
}

/** What became of a call: its answer, or the facts of its error. */
export async function outcomeOf(call: Promise<unknown>): Promise<unknown> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof ForgeError)) throw error;
    const { kind, isApplied, retryAt } = error;
    return { kind, isApplied, retryAt };
  }
}
