import type { Rules } from "#core/model/rules.ts";

/** Whether a look of this role costs money: fixed rules are free, whoever thinks is not. */
export function isPaidRole({ reviewer }: Pick<Rules["reviews"]["roles"][number], "reviewer">): boolean {
  return reviewer !== "rules";
}
