import type { ApprovalInput } from "#core/approval/approval-input.ts";
import { isMember, type TeamMembers } from "#core/approval/team-members.ts";
import { foldName } from "#core/fold-name.ts";
import { type Account, type Permission, permissionsByAccount } from "#core/model/account.ts";

export type ApproverStanding = "permitted" | "own_pull" | "bot" | "not_permitted" | "undetermined_permission";

export type AskApprover = (account: Account) => ApproverStanding;

/** A list of approvers narrows write permission and never replaces it: a listed login can be taken over by a rename. */
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

/** Anybody but the author and bots: their eyes mean that a person is at work. */
export function isOnlooker(standing: ApproverStanding): boolean {
  return standing !== "own_pull" && standing !== "bot";
}

function writerStanding(permission: Permission): ApproverStanding {
  if (permission === "undetermined") return "undetermined_permission";
  return permission === "admin" || permission === "write" ? "permitted" : "not_permitted";
}
