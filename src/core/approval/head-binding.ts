import type { ApprovalSignal } from "#core/approval/account-signals.ts";
import type { ApprovalInput } from "#core/approval/approval-input.ts";
import type { HeadSha, PatchId } from "#core/model/ids.ts";
import { wholeSecond } from "#core/model/instant.ts";
import type { HeadSeen } from "#core/model/pull.ts";
import type { ApprovalRecord } from "#core/model/records.ts";

export type HeadBinding =
  | {
      readonly kind: "bound";
      readonly head: HeadSha;
      readonly isCarried: boolean;
      readonly isRecorded: boolean;
    }
  | { readonly kind: "unbound"; readonly why: UnboundReason };

export type UnboundReason =
  | "older_head"
  | "other_base"
  /** A push in the same second may have come after the approval. */
  | "before_head_known"
  /** The history does not end with the head of the pull. */
  | "head_unknown"
  /** A push may have come between, also in the same second. The next look can tell. */
  | "after_observation"
  | "commit_contradicts";

export type BindToHead = (signal: ApprovalSignal) => HeadBinding;

interface View {
  readonly seen: ApprovalInput;
  readonly current: HeadSeen | undefined;
  /** By head and base; null where it is unknown, or where two entries differ. */
  readonly patches: ReadonlyMap<string, PatchId | null>;
}

/** A record is believed before anything that the forge says now. */
export function headBinder(seen: ApprovalInput): BindToHead {
  const view: View = { seen, current: findStandingHead(seen), patches: patchesOf(seen.heads) };
  const records = recordsBySignal(seen.records);
  return (signal) => {
    const known = (records.get(signal.id) ?? []).filter((record) => record.account === signal.account.id);
    return known.length === 0 ? fromTime(signal, view) : fromRecords(known, view);
  };
}

/** A history that misses a push proves nothing. A later push or change of base counts: another head may lie between. */
export function findStandingHead(seen: Pick<ApprovalInput, "heads" | "pull">): HeadSeen | undefined {
  const { head, base } = seen.pull;
  let latest = -1;
  for (const entry of seen.heads) latest = Math.max(latest, entry.since);
  const standing = seen.heads.filter(
    (entry) => entry.since === latest && entry.sha === head.sha && entry.baseBranch === base.branch,
  );
  const [entry] = standing;
  if (entry === undefined) return undefined;
  let { since } = entry;
  for (const told of [head.pushedAt, base.since]) if (told !== null && told > since) since = told;
  const patch = patchesOf(standing).get(headKey(entry.sha, entry.baseBranch)) ?? null;
  return { ...entry, since, patch };
}

/** Records that contradict each other are believed only as far as all of them let the approval count. */
function fromRecords(records: readonly ApprovalRecord[], view: View): HeadBinding {
  let found: HeadBinding = { kind: "unbound", why: "head_unknown" };
  for (const record of records) {
    const binding = fromRecord(record, view);
    if (binding.kind === "unbound") return binding;
    if (found.kind === "unbound" || binding.isCarried) found = binding;
  }
  return found;
}

/** Against another base the same commits are another change. */
function fromRecord(record: ApprovalRecord, view: View): HeadBinding {
  const { pull } = view.seen;
  if (record.baseBranch !== pull.base.branch) return { kind: "unbound", why: "other_base" };
  const isCarried = record.head !== pull.head.sha;
  if (isCarried && !hasSamePatch(record, view)) return { kind: "unbound", why: "older_head" };
  if (isContradicted(record, view.seen.heads)) return { kind: "unbound", why: "older_head" };
  return { kind: "bound", head: record.head, isCarried, isRecorded: true };
}

/** A lagging read shows an old head with an approval of the new one. Once the history contradicts it, it is wrong. */
function isContradicted(record: ApprovalRecord, heads: readonly HeadSeen[]): boolean {
  let since = -1;
  for (const head of heads) if (head.since < record.at) since = Math.max(since, head.since);
  const stood = heads.filter((head) => head.since === since && head.since < record.at);
  return stood.length > 0 && !stood.some((head) => head.sha === record.head && head.baseBranch === record.baseBranch);
}

function hasSamePatch(record: ApprovalRecord, { current, patches }: View): boolean {
  if (current === undefined || current.patch === null) return false;
  return patches.get(headKey(record.head, record.baseBranch)) === current.patch;
}

/** Forges count whole seconds, so an equal time proves nothing: the push may have come after the approval. */
function fromTime(signal: ApprovalSignal, { seen, current }: View): HeadBinding {
  if (current === undefined) return { kind: "unbound", why: "head_unknown" };
  if (signal.at <= current.since) return { kind: "unbound", why: whyTooOld(signal, seen.heads, current) };
  if (signal.at >= wholeSecond(seen.observedAt)) return { kind: "unbound", why: "after_observation" };
  if (signal.commit !== null && signal.commit !== current.sha) return { kind: "unbound", why: "commit_contradicts" };
  return { kind: "bound", head: current.sha, isCarried: false, isRecorded: false };
}

/** A hint only: the last entry before the approval may not be the head that was approved. */
function whyTooOld(signal: ApprovalSignal, heads: readonly HeadSeen[], current: HeadSeen): UnboundReason {
  let latest = -1;
  let isSameBase = false;
  for (const head of heads) {
    if (head.since >= signal.at || head.since < latest) continue;
    if (head.since > latest) isSameBase = false;
    latest = head.since;
    isSameBase ||= head.baseBranch === current.baseBranch;
  }
  if (latest === -1) return "before_head_known";
  return isSameBase ? "older_head" : "other_base";
}

function patchesOf(heads: readonly HeadSeen[]): ReadonlyMap<string, PatchId | null> {
  const patches = new Map<string, PatchId | null>();
  for (const head of heads) {
    if (head.patch === null) continue;
    const key = headKey(head.sha, head.baseBranch);
    const other = patches.get(key);
    patches.set(key, other === undefined || other === head.patch ? head.patch : null);
  }
  return patches;
}

/** A commit id holds no blank, so no two pairs share a key. */
function headKey(sha: HeadSha, baseBranch: string): string {
  return `${sha} ${baseBranch}`;
}

function recordsBySignal(records: readonly ApprovalRecord[]): ReadonlyMap<string, readonly ApprovalRecord[]> {
  const found = new Map<string, ApprovalRecord[]>();
  for (const record of records) {
    const others = found.get(record.signal);
    if (others === undefined) found.set(record.signal, [record]);
    else others.push(record);
  }
  return found;
}
