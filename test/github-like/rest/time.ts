import { formatInstant, type Instant, wholeSecond } from "#core/model/instant.ts";

/** GitHub writes whole seconds, whatever it knows. */
export function time(at: Instant): string {
  return formatInstant(wholeSecond(at));
}
