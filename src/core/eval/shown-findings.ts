import type { RawFinding } from "#core/model/finding.ts";
import type { HeadSha } from "#core/model/ids.ts";
import { instant } from "#core/model/instant.ts";
import type { ReviewRules } from "#core/model/rules.ts";
import { converge } from "#core/review/converge.ts";

/** The rules that decide in a pull decide here. */
export function shownFindings(
  found: readonly RawFinding[],
  { reviews, head }: { readonly reviews: ReviewRules; readonly head: HeadSha },
): readonly RawFinding[] {
  const { post, summarised } = converge({
    known: [],
    found,
    head,
    round: 1,
    foundAt: instant(0),
    rules: reviews,
    changed: { kind: "everything" },
    gone: new Set(),
    coverage: new Map(),
    renames: new Map(),
    deterministicRoles: new Set(reviews.roles.filter(({ reviewer }) => reviewer === "rules").map(({ name }) => name)),
    rolesInForce: new Set(reviews.roles.map(({ name }) => name)),
  });
  return [...post, ...summarised];
}
