import { type Finding, isOpenBlocker } from "#core/model/finding.ts";
import type { Observation } from "#core/model/observation.ts";
import type { Findings, RoleSituation } from "#core/model/situation.ts";

/** What is known about the code of this head, and which threads have not been told how it ended. */
export function deriveFindings(seen: Observation, roles: readonly RoleSituation[]): Findings {
  const all = seen.records.findings.map((finding) => asOfHead(finding, roles));
  const closed = new Set(seen.records.closedThreads);
  const resolvedOnForge = new Set(seen.threads.filter((thread) => thread.isResolved).map((thread) => thread.id));
  const isToClose = ({ state, thread }: Finding): boolean =>
    state.kind === "resolved" && thread !== null && !closed.has(thread) && !resolvedOnForge.has(thread);
  return {
    all,
    open: all.filter((finding) => finding.state.kind !== "resolved"),
    blockers: all.filter(isOpenBlocker),
    toClose: all.filter(isToClose),
  };
}

/**
 * A finding is kept as the last review left it, and that may have been another head's: a force-push brings back a head
 * whose defect was fixed meanwhile, or one that never had it. Where the role has read this head, what it listed there
 * is the truth. What people settled by argument or waiver stays settled.
 */
function asOfHead(finding: Finding, roles: readonly RoleSituation[]): Finding {
  const role = roles.find((one) => one.role === finding.role);
  if (role?.kind !== "completed" || role.run.state.kind !== "completed") return finding;
  const isListed = role.run.state.findings.includes(finding.id);
  const isFixed = finding.state.kind === "resolved" && finding.state.resolution.how === "fixed";
  if (isListed && isFixed) return { ...finding, state: { kind: "open" } };
  if (isListed || finding.state.kind === "resolved") return finding;
  return { ...finding, state: { kind: "resolved", resolution: { how: "fixed", head: role.run.head } } };
}
