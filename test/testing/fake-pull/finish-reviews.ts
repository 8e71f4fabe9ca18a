import type { Finding, RawFinding } from "#core/model/finding.ts";
import { ThreadId } from "#core/model/ids.ts";
import type { ReviewRun } from "#core/model/records.ts";
import { converge, knownAfter } from "#core/review/converge.ts";
import { changeRuns } from "#testing/fake-pull/apply-action.ts";
import type { FakePull } from "#testing/fake-pull/fake-pull.ts";

/** The reviewers come back with what they found: every running look is completed, and what is no longer there is fixed. */
export function finishReviews(pull: FakePull, found: readonly Omit<RawFinding, "role">[]): FakePull {
  const running = pull.records.runs.filter((run) => run.state.kind === "running");
  return running.reduce((before, run) => finishRun(before, run, found), pull);
}

function finishRun(pull: FakePull, run: ReviewRun, found: readonly Omit<RawFinding, "role">[]): FakePull {
  const coverage = { filesRead: Math.max(1, pull.changedPaths.length), unread: [] };
  const result = converge({
    known: pull.records.findings,
    found: found.map((one) => ({ ...one, role: run.role })),
    head: run.head,
    round: run.round,
    foundAt: pull.observedAt,
    rules: pull.rules.reviews,
    changed: { kind: "everything" },
    gone: new Set(),
    coverage: new Map([[run.role, coverage]]),
    renames: new Map(),
    deterministicRoles: new Set([run.role, ...pull.records.findings.map(({ role }) => role)]),
    rolesInForce: new Set(pull.rules.reviews.roles.map(({ name }) => name)),
  });
  const findings = knownAfter(result).map((finding) => ({
    ...finding,
    thread: finding.thread ?? ThreadId.parse(`thread-${finding.id.slice(0, 8)}`),
  }));
  const completed = changeRuns(pull, run, (one) => ({
    ...one,
    state: {
      kind: "completed",
      at: pull.observedAt,
      coverage,
      findings: findings.filter((finding) => isStanding(finding, run)).map((finding) => finding.id),
      summary: "",
    },
  }));
  return { ...completed, records: { ...completed.records, findings } };
}

function isStanding(finding: Finding, run: ReviewRun): boolean {
  return finding.role === run.role && finding.state.kind !== "resolved";
}
