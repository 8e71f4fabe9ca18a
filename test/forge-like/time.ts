import { formatInstant, type Instant, wholeSecond } from "#core/model/instant.ts";

/** Forges write whole seconds, whatever they know. */
export function time(at: Instant): string {
  return formatInstant(wholeSecond(at));
}
