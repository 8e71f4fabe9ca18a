import { after, secondMs } from "#core/model/instant.ts";
import type { Endpoint } from "#forges/sandbox/call-endpoint.ts";
import type { EndpointResponse } from "#forges/sandbox/wire.ts";
import type { Clock } from "#ports/clock.ts";
import { ForgeError, type ForgeErrorKind } from "#ports/forge.ts";

export type EndpointFailure = EndpointResponse<never> & { readonly kind: "refusal" | "silence" };

export interface FailedCall {
  readonly endpoint: Pick<Endpoint<never, unknown>, "name" | "isWrite">;
  readonly where: string;
  readonly failure: EndpointFailure;
  readonly clock: Clock;
}

/** Only a refusal is a certain no. A read has changed nothing, with any outcome. */
export function forgeError({ endpoint, where, failure, clock }: FailedCall): ForgeError {
  const kind = kindOf(failure);
  const isCertain = !endpoint.isWrite || kind !== "unavailable";
  const seconds = failure.kind === "refusal" ? failure.retryAfterSeconds : null;
  const said = failure.kind === "refusal" ? `${failure.status} ${failure.message}` : "no answer";
  return new ForgeError(kind, `sandbox ${where}: ${endpoint.name}: ${said}`, {
    isApplied: isCertain ? "no" : "unknown",
    retryAt: seconds === null ? null : after(clock.now(), seconds * secondMs),
  });
}

function kindOf(failure: EndpointFailure): ForgeErrorKind {
  if (failure.kind === "silence") return "unavailable";
  const { status } = failure;
  if (status === 403 && isRateLimit(failure)) return "rate_limited";
  if (status >= 500) return "unavailable";
  return kinds.get(status) ?? "refused";
}

const kinds: ReadonlyMap<number, ForgeErrorKind> = new Map([
  [401, "unauthorized"],
  [403, "forbidden"],
  [404, "not_found"],
  [409, "conflict"],
  [429, "rate_limited"],
]);

/** GitHub's 403 is "not you" and "not now"; without the header only the words tell. */
function isRateLimit({ retryAfterSeconds, message }: EndpointFailure & { readonly kind: "refusal" }): boolean {
  return retryAfterSeconds !== null || message.includes("rate limit");
}
