import type { ApprovalInput } from "#core/approval/approval-input.ts";
import { isMember, type TeamMembers } from "#core/approval/team-members.ts";
import { foldName } from "#core/fold-name.ts";
import { type Account, type Permission, permissionsByAccount } from "#core/model/account.ts";

/** Whether somebody may approve this pull, and if not, why. */
export type ApproverStanding = "permitted" | "own_pull" | "bot" | "not_permitted" | "undetermined_permission";

export type AskApprover = (account: Account) => ApproverStanding;

/**
 * Nobody approves their own pull, and no bot approves unless it is trusted by id; Drover's own account never does. A list
 * of approvers narrows those with write permission down and does not replace it: logins in a list can be taken over by
 * renaming an account, write permission cannot.
 */
export function approversOf(
  seen: Pick<ApprovalInput, "bot" | "pull" | "rules" | "permissions">,
  members: TeamMembers,
): AskApprover {
  const trusted = new Set(seen.rules.trustedBots);
  const permissions = permissionsByAccount(seen.permissions);
  const { approvers } = seen.rules.approval;
  const listed = new Set(approvers.kind === "listed" ? approvers.people.map(foldName) : []);
  return (account) => {
    if (account.id === seen.bot.id) return "bot";
    if (account.id === seen.pull.author.id) return "own_pull";
    if (account.kind === "bot" && !trusted.has(account.id)) return "bot";
    if (approvers.kind === "writers") return writerStanding(permissions.get(account.id) ?? "undetermined");
    const isListed =
      listed.has(foldName(account.login)) || approvers.teams.some((team) => isMember(members, team, account.id));
    return isListed ? writerStanding(permissions.get(account.id) ?? "undetermined") : "not_permitted";
  };
}

/** Somebody whose eyes say that a person is at work: anybody but the author and bots. */
export function isOnlooker(standing: ApproverStanding): boolean {
  return standing !== "own_pull" && standing !== "bot";
}

function writerStanding(permission: Permission): ApproverStanding {
  if (permission === "undetermined") return "undetermined_permission";
  return permission === "admin" || permission === "write" ? "permitted" : "not_permitted";
}
