import type { Diff } from "#core/diff/diff.ts";
import type { RawFinding } from "#core/model/finding.ts";
import type { Coverage } from "#core/model/records.ts";
import { never } from "#core/never.ts";
import { type FrameOf, makeFrames } from "#core/report/code-frame.ts";
import type { Report, ReportedChange, ReportedFinding, RoleState } from "#core/report/report.ts";
import { mergeCoverages } from "#core/review/coverage.ts";
import { isBlankSnippet } from "#core/review/finding-code.ts";
import { identifyFindings } from "#core/review/finding-identity.ts";
import { compareFindings } from "#core/review/finding-order.ts";
import { type ThresholdRules, thresholdsOf } from "#core/review/role-thresholds.ts";

export interface RolePass {
  readonly role: string;
  readonly reviewer: string;
  readonly outcome: RolePassOutcome;
}

export type RolePassOutcome =
  | {
      readonly kind: "completed";
      readonly findings: readonly RawFinding[];
      readonly coverage: Coverage;
      readonly summary: string;
      readonly costMicroUsd: number;
    }
  | { readonly kind: "not_run"; readonly why: string }
  /** What was spent is spent, whatever came of it. */
  | { readonly kind: "unreadable" | "failed"; readonly why: string; readonly costMicroUsd: number };

export interface Reviewed {
  readonly change: Omit<ReportedChange, "files">;
  readonly diff: Diff;
  readonly looks: readonly RolePass[];
  readonly leftOut: Coverage["unread"];
  readonly thresholds: ThresholdRules;
  /** Their findings quote no more of a line than may be repeated. */
  readonly secretRules: ReadonlySet<string>;
  readonly tookMs: number;
}

export function makeReport(reviewed: Reviewed): Report {
  const { change, diff, looks, thresholds, secretRules } = reviewed;
  const completed = looks.flatMap(({ outcome }) => (outcome.kind === "completed" ? [outcome] : []));
  const all = completed.flatMap(({ findings }) => findings).toSorted(compareFindings);
  const ids = identifyFindings(all);
  const frames = makeFrames(
    diff,
    all.filter(({ rule }) => secretRules.has(rule)),
  );
  const findings = all.flatMap((finding, index) => {
    const id = ids[index];
    const { problemScore, blockingScore } = thresholdsOf(thresholds, finding.role);
    return id === undefined || finding.score < problemScore ? [] : [reported(finding, { id, frames, blockingScore })];
  });
  const read = mergeCoverages(completed.map(({ coverage }) => coverage));
  return {
    change: { ...change, files: new Set(diff.files.map(({ path }) => path)).size },
    roles: looks.map(({ role, reviewer, outcome }) => ({ role, reviewer, state: stateOf(outcome) })),
    findings,
    belowThreshold: all.length - findings.length,
    coverage: { ...read, unread: [...read.unread, ...reviewed.leftOut] },
    costMicroUsd: looks.reduce((sum, { outcome }) => sum + (outcome.kind === "not_run" ? 0 : outcome.costMicroUsd), 0),
    tookMs: reviewed.tookMs,
  };
}

function reported(
  finding: RawFinding,
  { id, frames, blockingScore }: { readonly id: ReportedFinding["id"]; frames: FrameOf; blockingScore: number },
): ReportedFinding {
  return {
    ...finding,
    id,
    severity: finding.score >= blockingScore ? "blocking" : "problem",
    isWholeFile: isBlankSnippet(finding.snippet),
    frame: frames(finding),
  };
}

function isUnpaid({ filesRead, unread }: Coverage): boolean {
  return filesRead === 0 && unread.some(({ why }) => why === "budget");
}

function stateOf(outcome: RolePassOutcome): RoleState {
  switch (outcome.kind) {
    case "completed":
      // A role that read nothing for want of money has nothing to say about the change.
      return isUnpaid(outcome.coverage)
        ? { kind: "failed", why: outcome.summary }
        : { kind: "completed", summary: outcome.summary };
    case "not_run":
      return { kind: "not_run", why: outcome.why };
    case "unreadable":
    case "failed":
      return { kind: "failed", why: outcome.why };
    default:
      return never(outcome);
  }
}
