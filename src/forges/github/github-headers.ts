import { after, type Instant, secondMs } from "#core/model/instant.ts";
import type { TransportResponse } from "#forges/github/github-transport.ts";
import type { RateLimitStatus } from "#ports/forge.ts";

export interface RateHeaders extends RateLimitStatus {
  /** `core`, `graphql`, …: GitHub counts them apart. */
  readonly resource: string;
}

export function readRate(answer: TransportResponse): RateHeaders | undefined {
  const [limit, left, reset] = ["limit", "remaining", "reset"].map((name) => readNumber(answer, `x-ratelimit-${name}`));
  if (limit === undefined || left === undefined || reset === undefined) return undefined;
  const resource = answer.headers["x-ratelimit-resource"] ?? "core";
  return { resource: String(resource), limit, left, resetAt: onThisMachine(answer, reset * secondMs) };
}

/** Null where the forge said nothing. Whole seconds, so never too early. */
export function readRetryAt(answer: TransportResponse): Instant | null {
  const seconds = readNumber(answer, "retry-after");
  if (seconds !== undefined) return after(answer.heardAt, seconds * secondMs);
  const rate = readRate(answer);
  return rate?.left === 0 ? rate.resetAt : null;
}

/** The clocks may differ; the distance to the forge's own date does not. */
function onThisMachine(answer: TransportResponse, forgeMs: number): Instant {
  const date = Date.parse(String(answer.headers["date"]));
  const now = Number.isNaN(date) ? answer.heardAt : date;
  return after(answer.heardAt, Math.max(0, forgeMs - now));
}

function readNumber({ headers }: TransportResponse, name: string): number | undefined {
  const value = headers[name];
  if (value === undefined || value === "") return undefined;
  const number = Number(value);
  return Number.isFinite(number) && number >= 0 ? number : undefined;
}
