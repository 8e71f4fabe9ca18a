import type { ApprovalInput } from "#core/approval/approval-input.ts";
import {
  codeOwnersBytesMax,
  type InvalidOwnerLine,
  indexOwners,
  type Owner,
  type OwnerIndex,
  ownerStepsMax,
  ownersKey,
  parseCodeOwners,
} from "#core/approval/code-owners.ts";
import type { StepBudget } from "#core/approval/path-pattern.ts";
import { isMember, type TeamMembers } from "#core/approval/team-members.ts";
import { compareText } from "#core/compare-text.ts";
import { foldName } from "#core/fold-name.ts";
import type { Account } from "#core/model/account.ts";
import type { CodeOwnersSeen } from "#core/model/code-owners-seen.ts";

export type MissingApproval =
  | { readonly kind: "approvals"; readonly more: number }
  | { readonly kind: "code_owners"; readonly owners: readonly Owner[]; readonly paths: readonly string[] }
  /** An owned path may be among what is not seen. */
  | { readonly kind: "changed_paths_cut" }
  /** The forge lists no path while it still computes the change. */
  | { readonly kind: "changed_paths_empty" }
  /** Some paths may have owners. */
  | { readonly kind: "code_owners_unknown"; readonly why: OwnersUnknown }
  /** An objection may be among what is not seen. */
  | { readonly kind: "reviews_cut" };

type OwnersUnknown =
  | Extract<CodeOwnersSeen, { readonly kind: "unknown" }>["why"]
  | "not_asked"
  /** Holding its rules against the changed paths takes too many steps. */
  | "too_much_work";

export interface MissingApprovals {
  readonly missing: readonly MissingApproval[];
  readonly invalidOwnerLines: readonly InvalidOwnerLine[];
}

export function findMissing(
  seen: ApprovalInput,
  members: TeamMembers,
  approvers: readonly Account[],
): MissingApprovals {
  const missing: MissingApproval[] = [];
  const { approvalsMin, requiresCodeOwners } = seen.rules.approval;
  if (approvers.length < approvalsMin) missing.push({ kind: "approvals", more: approvalsMin - approvers.length });
  if (seen.limitsReached.includes("reviewsMax")) missing.push({ kind: "reviews_cut" });
  // The files of a closed pull are not fetched any more, and its approval has no effect.
  if (!requiresCodeOwners || seen.pull.state !== "open") return { missing, invalidOwnerLines: [] };
  if (seen.limitsReached.includes("changedPathsMax")) missing.push({ kind: "changed_paths_cut" });
  const asked = findMissingOwners(seen, { members, approvers });
  return { missing: [...missing, ...asked.missing], invalidOwnerLines: asked.invalidOwnerLines };
}

function findMissingOwners(
  { codeOwners: file, changedPaths }: ApprovalInput,
  { members, approvers }: { readonly members: TeamMembers; readonly approvers: readonly Account[] },
): MissingApprovals {
  if (file.kind === "none") return { missing: [], invalidOwnerLines: [] };
  if (file.kind === "not_asked") return unknownOwners("not_asked");
  if (file.kind === "unknown") return unknownOwners(file.why);
  if (file.text.length > codeOwnersBytesMax) return unknownOwners("too_large");
  const codeOwners = parseCodeOwners(file.text);
  const owned = codeOwners === undefined ? undefined : ownedPaths(indexOwners(codeOwners), changedPaths);
  if (codeOwners === undefined || owned === undefined) return unknownOwners("too_much_work");
  const missing: MissingApproval[] = changedPaths.length === 0 ? [{ kind: "changed_paths_empty" }] : [];
  for (const { owners, paths } of owned) {
    const isCovered = owners.some((owner) => approvers.some((account) => isOwner(owner, account, members)));
    if (!isCovered) missing.push({ kind: "code_owners", owners, paths });
  }
  return { missing, invalidOwnerLines: codeOwners.invalid };
}

function unknownOwners(why: OwnersUnknown): MissingApprovals {
  return { missing: [{ kind: "code_owners_unknown", why }], invalidOwnerLines: [] };
}

interface OwnedPaths {
  readonly owners: readonly Owner[];
  readonly paths: readonly string[];
}

/** Undefined where it is too much work to tell. */
function ownedPaths(index: OwnerIndex, changedPaths: readonly string[]): readonly OwnedPaths[] | undefined {
  const budget: StepBudget = { left: ownerStepsMax };
  const found = new Map<string, { readonly owners: readonly Owner[]; readonly paths: string[] }>();
  for (const path of [...new Set(changedPaths)].sort(compareText)) {
    const owners = index.ownersOf(path, budget);
    if (budget.left < 0) return undefined;
    if (owners.length === 0) continue;
    const key = ownersKey(owners);
    const known = found.get(key);
    if (known === undefined) found.set(key, { owners, paths: [path] });
    else known.paths.push(path);
  }
  return [...found].sort(([left], [right]) => compareText(left, right)).map(([, owned]) => owned);
}

function isOwner(owner: Owner, account: Account, members: TeamMembers): boolean {
  if (owner.kind === "person") return foldName(owner.login) === foldName(account.login);
  return owner.kind === "team" && isMember(members, owner.name, account.id);
}
