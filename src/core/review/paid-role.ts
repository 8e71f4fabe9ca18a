import type { Rules } from "#core/model/rules.ts";

/** Whether a review of this role costs money: fixed rules are free, models and agents are not. */
export function isPaidRole({ reviewer }: Pick<Rules["reviews"]["roles"][number], "reviewer">): boolean {
  return reviewer !== "rules";
}
