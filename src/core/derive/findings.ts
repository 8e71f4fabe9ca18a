import { type Finding, isOpenBlocker } from "#core/model/finding.ts";
import type { FindingId } from "#core/model/ids.ts";
import type { Observation } from "#core/model/observation.ts";
import type { Findings, RoleSituation } from "#core/model/situation.ts";

export function deriveFindings(seen: Observation, roles: readonly RoleSituation[]): Findings {
  const looks = looksAtHead(roles);
  const all = seen.records.findings.map((finding) => asOfHead(finding, looks));
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

interface Looks {
  readonly standing: ReadonlySet<FindingId>;
  readonly readBy: ReadonlyMap<string, Extract<RoleSituation, { readonly kind: "completed" }>>;
}

function looksAtHead(roles: readonly RoleSituation[]): Looks {
  const completed = roles.filter((role) => role.kind === "completed");
  const standing = completed.flatMap(({ run }) => (run.state.kind === "completed" ? run.state.findings : []));
  const read = completed.filter(({ coverage }) => coverage.filesRead + coverage.unread.length > 0);
  return { standing: new Set(standing), readBy: new Map(read.map((role) => [role.role, role])) };
}

/** A record tells of the last reviewed head. A force-push may bring back a head with, or without, the defect. */
function asOfHead(finding: Finding, { standing, readBy }: Looks): Finding {
  const isFixed = finding.state.kind === "resolved" && finding.state.resolution.how === "fixed";
  if (standing.has(finding.id)) return isFixed ? { ...finding, state: { kind: "open" } } : finding;
  const reader = readBy.get(finding.role);
  if (reader === undefined || finding.state.kind === "resolved") return finding;
  return { ...finding, state: { kind: "resolved", resolution: { how: "fixed", head: reader.run.head } } };
}
