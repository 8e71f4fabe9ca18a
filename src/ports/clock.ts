import type { Instant } from "#core/model/instant.ts";

/** Time on this machine. It may differ from the forge's, jump, and even go back: nothing is proven by it. */
export interface Clock {
  now(): Instant;
  /** Resolves after that time, or at once when the signal is aborted; it never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
