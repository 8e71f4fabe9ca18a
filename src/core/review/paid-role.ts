import type { Rules } from "#core/model/rules.ts";

export function isPaidRole({ reviewer }: Pick<Rules["reviews"]["roles"][number], "reviewer">): boolean {
  return reviewer !== "rules";
}
