import { foldName } from "#core/fold-name.ts";
import type { Team } from "#core/model/account.ts";
import type { AccountId } from "#core/model/ids.ts";

export type TeamMembers = ReadonlyMap<string, ReadonlySet<AccountId>>;

export function membersByTeam(teams: readonly Team[]): TeamMembers {
  const found = new Map<string, Set<AccountId>>();
  for (const team of teams) {
    const name = foldName(team.name);
    const members = found.get(name) ?? new Set();
    for (const member of team.members) members.add(member);
    found.set(name, members);
  }
  return found;
}

export function isMember(members: TeamMembers, team: string, account: AccountId): boolean {
  return members.get(foldName(team))?.has(account) ?? false;
}
