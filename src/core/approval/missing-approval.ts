import type { ApprovalInput } from "#core/approval/approval-input.ts";
import {
  type CodeOwners,
  codeOwnersCharactersMax,
  type InvalidOwnerLine,
  type Owner,
  ownersKey,
  ownersOf,
  parseCodeOwners,
} from "#core/approval/code-owners.ts";
import { isMember, type TeamMembers } from "#core/approval/team-members.ts";
import { compareText } from "#core/compare-text.ts";
import { foldName } from "#core/fold-name.ts";
import type { Account } from "#core/model/account.ts";

/** What keeps a pull from being approved, apart from objections. */
export type MissingApproval =
  | { readonly kind: "approvals"; readonly more: number }
  /** One of the owners has to approve; the paths are those that nobody else covers. */
  | { readonly kind: "code_owners"; readonly owners: readonly Owner[]; readonly paths: readonly string[] }
  /** The list of changed paths was cut: an owned path may be among what is not seen. */
  | { readonly kind: "changed_paths_cut" }
  /** There is a CODEOWNERS file and the forge lists no path, as it does while it still computes the change. */
  | { readonly kind: "changed_paths_empty" }
  | { readonly kind: "code_owners_too_large" }
  /** The list of reviews was cut: an objection may be among what is not seen. */
  | { readonly kind: "reviews_cut" };

export interface MissingApprovals {
  readonly missing: readonly MissingApproval[];
  readonly invalidOwnerLines: readonly InvalidOwnerLine[];
}

/** `approvers` are those whose approval counts, each once. */
export function findMissing(
  seen: ApprovalInput,
  members: TeamMembers,
  approvers: readonly Account[],
): MissingApprovals {
  const missing: MissingApproval[] = [];
  const { approvalsMin, requiresCodeOwners } = seen.rules.approval;
  if (approvers.length < approvalsMin) missing.push({ kind: "approvals", more: approvalsMin - approvers.length });
  if (seen.limitsReached.includes("reviewsMax")) missing.push({ kind: "reviews_cut" });
  if (!requiresCodeOwners) return { missing, invalidOwnerLines: [] };
  if (seen.limitsReached.includes("changedPathsMax")) missing.push({ kind: "changed_paths_cut" });
  if (seen.codeOwners === null) return { missing, invalidOwnerLines: [] };
  if (seen.changedPaths.length === 0) missing.push({ kind: "changed_paths_empty" });
  if (seen.codeOwners.length > codeOwnersCharactersMax) {
    missing.push({ kind: "code_owners_too_large" });
    return { missing, invalidOwnerLines: [] };
  }
  const codeOwners = parseCodeOwners(seen.codeOwners);
  for (const owned of ownedPaths(codeOwners, seen.changedPaths)) {
    const isCovered = owned.owners.some((owner) => approvers.some((account) => isOwner(owner, account, members)));
    if (!isCovered) missing.push({ kind: "code_owners", ...owned });
  }
  return { missing, invalidOwnerLines: codeOwners.invalid };
}

interface OwnedPaths {
  readonly owners: readonly Owner[];
  readonly paths: readonly string[];
}

/** Changed paths that have owners, by set of owners, in one order. */
function ownedPaths(codeOwners: CodeOwners, changedPaths: readonly string[]): readonly OwnedPaths[] {
  const found = new Map<string, { readonly owners: readonly Owner[]; readonly paths: string[] }>();
  for (const path of [...new Set(changedPaths)].sort(compareText)) {
    const owners = ownersOf(codeOwners, path);
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
