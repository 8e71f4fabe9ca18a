import { type Finding, isOpenBlocker } from "#core/model/finding.ts";
import type { Coverage, PublishedReview } from "#core/model/records.ts";
import { isComplete } from "#core/review/coverage.ts";

export type Verdict = PublishedReview["verdict"];

/** An open blocker counts even if it could not be checked again. Only a complete review approves. */
export function verdictOf(role: { readonly findings: readonly Finding[]; readonly coverage: Coverage }): Verdict {
  if (role.findings.some(isOpenBlocker)) return "request_changes";
  return isComplete(role.coverage) ? "approve" : "comment";
}
