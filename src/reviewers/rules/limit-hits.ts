import { reviewLimits } from "#reviewers/rules/review-limits.ts";
import type { Hit, Rule } from "#reviewers/rules/rule.ts";

export interface RuleCounts {
  readonly byRule: Map<string, number>;
  readonly cuts: RuleCut[];
}

export interface RuleCut {
  readonly rule: string;
  readonly path: string;
  readonly left: number;
}

export function emptyRuleCounts(): RuleCounts {
  return { byRule: new Map(), cuts: [] };
}

/** From the top of the file. The caller must say that the file was cut: else a known finding over the limit seems fixed. */
export function limitHits(
  counts: RuleCounts,
  { rule, path, hits }: { readonly rule: Rule; readonly path: string; readonly hits: readonly Hit[] },
): { readonly kept: readonly Hit[]; readonly isCut: boolean } {
  const said = counts.byRule.get(rule.name) ?? 0;
  const room = Math.min(reviewLimits.findingsPerRuleAndFileMax, reviewLimits.findingsPerRuleMax - said);
  const kept = hits.length <= room ? hits : hits.toSorted((one, other) => lineOf(one) - lineOf(other)).slice(0, room);
  counts.byRule.set(rule.name, said + kept.length);
  const left = hits.length - kept.length;
  if (left > 0) counts.cuts.push({ rule: rule.name, path, left });
  return { kept, isCut: left > 0 };
}

function lineOf({ place }: Hit): number {
  if (place.kind === "file") return 0;
  return place.kind === "part" ? place.line : place.first;
}
