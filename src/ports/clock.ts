import type { Instant } from "#core/model/instant.ts";

/** May differ from the forge's time, jump and go back: nothing is proven by it. */
export interface Clock {
  now(): Instant;
  /** Resolves after that time or when the signal is aborted; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
