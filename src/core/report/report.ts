import type { RawFinding } from "#core/model/finding.ts";
import type { FindingId } from "#core/model/ids.ts";
import type { Coverage } from "#core/model/records.ts";
import type { FrameLine } from "#core/report/code-frame.ts";
import { isHole } from "#core/review/coverage.ts";

export interface Report {
  readonly change: ReportedChange;
  readonly roles: readonly { readonly role: string; readonly reviewer: string; readonly state: RoleState }[];
  readonly findings: readonly ReportedFinding[];
  readonly belowThreshold: number;
  readonly coverage: Coverage;
  readonly costMicroUsd: number;
  readonly tookMs: number;
}

export interface ReportedChange {
  /** For people: "the working tree against HEAD". */
  readonly words: string;
  /** Commits; null for a side that is none. */
  readonly base: string | null;
  readonly head: string | null;
  readonly files: number;
}

export type Severity = "blocking" | "problem";

export interface ReportedFinding extends RawFinding {
  readonly id: FindingId;
  readonly severity: Severity;
  readonly isWholeFile: boolean;
  /** Empty where the diff does not show the code. */
  readonly frame: readonly FrameLine[];
}

export type RoleState =
  | { readonly kind: "completed"; readonly summary: string }
  | { readonly kind: "not_run"; readonly why: string }
  | { readonly kind: "failed"; readonly why: string };

/** "No findings" says less here than it seems to. */
export function isPartial({ coverage, roles }: Report): boolean {
  return (
    coverage.isSwayed === true || coverage.unread.some(isHole) || roles.some(({ state }) => state.kind !== "completed")
  );
}

export function countOf({ findings }: Report, severity: Severity): number {
  return findings.filter((finding) => finding.severity === severity).length;
}

/** From which severity on the review ends as failed. */
export type FailOn = Severity | "never";

/** 1 also for a role that could not do its work: that is never a pass. */
export function reportExitCode(report: Report, failOn: FailOn): 0 | 1 {
  if (failOn === "never") return 0;
  if (report.roles.some(({ state }) => state.kind === "failed")) return 1;
  const counted = failOn === "blocking" ? countOf(report, "blocking") : report.findings.length;
  return counted > 0 ? 1 : 0;
}
