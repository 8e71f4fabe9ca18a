import { type Finding, isOpenBlocker } from "#core/model/finding.ts";
import type { Coverage, PublishedReview } from "#core/model/records.ts";
import { isComplete } from "#core/review/coverage.ts";

export type Verdict = PublishedReview["verdict"];

/**
 * What one role says about a head, from all findings of that role, whenever they were found, and from what it read. An
 * open blocker stands even where nobody could look again. Only a complete look approves.
 */
export function verdictOf(role: { readonly findings: readonly Finding[]; readonly coverage: Coverage }): Verdict {
  if (role.findings.some(isOpenBlocker)) return "request_changes";
  return isComplete(role.coverage) ? "approve" : "comment";
}
