import { minuteMs } from "#core/model/instant.ts";
import { submitMsMax } from "#ports/batches.ts";

/** What the providers take in one batch, as they document it. */
export interface BatchSize {
  readonly requestsMax: number;
  readonly bytesMax: number;
}

export const openaiSize: BatchSize = { requestsMax: 50_000, bytesMax: 200_000_000 };
export const anthropicSize: BatchSize = { requestsMax: 100_000, bytesMax: 256_000_000 };

/** Their clocks and this machine's may differ by so much. */
export const clockSlackMs = 5 * minuteMs;
/** Of a list, looking for one batch: that is some ten thousand made by others in the meantime. */
export const pagesMax = 100;
export const pageSize = 100;
/** Of each of the two requests that a submission may take, with hundreds of megabytes on their way. */
export const handOverMsMax = submitMsMax / 2;

/** Null where it fits. */
export function tooLarge(size: BatchSize, made: { readonly requests: number; readonly bytes: number }): string | null {
  if (made.requests > size.requestsMax) return `a batch takes at most ${size.requestsMax} requests`;
  return made.bytes > size.bytesMax ? `a batch takes at most ${size.bytesMax} bytes` : null;
}
