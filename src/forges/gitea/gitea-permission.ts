import { z } from "zod";
import type { Account, Permission } from "#core/model/account.ts";
import { after, type Instant } from "#core/model/instant.ts";
import { bodyOf, type Caller, callRaw } from "#forges/gitea/gitea-call.ts";
import { isStatus } from "#forges/gitea/gitea-error.ts";
import { giteaLimits } from "#forges/gitea/gitea-limits.ts";
import { repositoryPath } from "#forges/gitea/gitea-paths.ts";
import { GiteaUser } from "#forges/gitea/gitea-schema.ts";
import type { Forge } from "#ports/forge.ts";
import type { RepositoryRef } from "#ports/pull-ref.ts";

const writingWords: ReadonlySet<string> = new Set(["write", "admin", "owner"]);

const Told = z.object({ permission: z.enum(["owner", "admin", "write", "read", "none"]), user: GiteaUser.nullish() });

type FetchPermission = Forge["fetchPermission"];

/** Answers are kept for minutes; what was not told is asked again. */
export function createFetchPermission(caller: Caller): FetchPermission {
  const fetchTeamRight = createFetchTeamRight(caller);
  const kept = new Map<string, { readonly permission: Permission; readonly until: Instant }>();
  return async (request) => {
    const key = `${request.repository.id} ${request.account.id} ${request.account.login}`;
    const known = kept.get(key);
    if (known !== undefined && caller.clock.now() < known.until) return known.permission;
    const permission = await fetchPermission({ caller, fetchTeamRight }, request);
    if (permission === "undetermined") return permission;
    if (kept.size >= giteaLimits.permissionsMax) kept.clear();
    kept.set(key, { permission, until: after(caller.clock.now(), giteaLimits.permissionMsMax) });
    return permission;
  };
}

/** Others are told about themselves alone: a refusal says nothing about whom it was asked. */
async function fetchPermission(
  { caller, fetchTeamRight }: { readonly caller: Caller; readonly fetchTeamRight: FetchTeamRight },
  { repository, account }: Parameters<FetchPermission>[0],
): Promise<Permission> {
  const asked = {
    where: repository.name,
    name: "look up permission",
    manner: "read",
    method: "GET",
    path: `${repositoryPath(repository)}/collaborators/${encodeURIComponent(account.login)}/permission`,
    shape: Told,
  } as const;
  const answer = await callRaw(caller, asked);
  if (isStatus(answer, 403)) return "undetermined";
  if (isStatus(answer, 404)) return "none";
  const { permission, user } = bodyOf(asked, answer);
  // The login may belong to another account by now.
  if (user?.id !== account.id) return "undetermined";
  if (permission === "owner") return "admin";
  if (permission !== "read" && permission !== "none") return permission;
  const right = await fetchTeamRight({ repository, account });
  if (right === "hidden") return "undetermined";
  return right === "write" ? "write" : permission;
}

/** `hidden`: there are writing teams that we may not look into. */
type TeamRight = "write" | "none" | "hidden";

const Team = z.object({
  id: z.int().positive(),
  permission: z.string().catch("none"),
  units_map: z.record(z.string(), z.string()).nullish(),
});
type Team = z.infer<typeof Team>;

interface Membership {
  readonly repository: RepositoryRef;
  readonly account: Account;
}

type FetchTeamRight = (membership: Membership) => Promise<TeamRight>;

/** Of writing teams, as far as we may look into them. */
interface Writers {
  readonly teams: readonly Team[];
  readonly isAnyHidden: boolean;
}

/**
 * The permission endpoint ignores teams, except of administrators: members are "read" or "none". A team's rights are by
 * parts of a repository; the right to the code is that to merge. The list is kept for minutes.
 */
function createFetchTeamRight(caller: Caller): FetchTeamRight {
  const kept = new Map<string, { readonly writers: Writers; readonly until: Instant }>();
  return async (membership) => {
    const { id } = membership.repository;
    const known = kept.get(id);
    const isKnown = known !== undefined && caller.clock.now() < known.until;
    const writers = isKnown ? known.writers : await fetchWriters(caller, membership.repository);
    if (kept.size >= giteaLimits.repositoriesRememberedMax) kept.clear();
    if (!isKnown) kept.set(id, { writers, until: after(caller.clock.now(), giteaLimits.permissionMsMax) });
    for (const team of writers.teams) if (await isMember(caller, { ...membership, team })) return "write";
    return writers.isAnyHidden ? "hidden" : "none";
  };
}

async function fetchWriters(caller: Caller, repository: RepositoryRef): Promise<Writers> {
  const writing = (await fetchTeams(caller, repository)).filter(mayWriteCode);
  const teams: Team[] = [];
  for (const team of writing.slice(0, giteaLimits.teamsMax)) {
    if (await isVisible(caller, { repository, team })) teams.push(team);
  }
  return { teams, isAnyHidden: teams.length < writing.length };
}

async function fetchTeams(caller: Caller, repository: RepositoryRef): Promise<readonly Team[]> {
  const asked = {
    where: repository.name,
    name: "look up teams",
    manner: "read",
    method: "GET",
    path: `${repositoryPath(repository)}/teams`,
    shape: z.array(Team).nullable(),
  } as const;
  const answer = await callRaw(caller, asked);
  // No organisation owns the repository.
  return isStatus(answer, 405) ? [] : (bodyOf(asked, answer) ?? []);
}

/** The word for the whole counts only where there are none for the parts. */
function mayWriteCode({ permission, units_map: units }: Team): boolean {
  const word = units === undefined || units === null ? permission : (units["repo.code"] ?? "none");
  return writingWords.has(word);
}

/** Members are told to members alone; strangers of the organisation get "not found" for all of it. */
async function isVisible(
  caller: Caller,
  { repository, team }: { readonly repository: RepositoryRef; readonly team: Team },
): Promise<boolean> {
  const asked = {
    where: repository.name,
    name: "look up team",
    manner: "read",
    method: "GET",
    path: `/teams/${team.id}`,
    shape: Team,
  } as const;
  const answer = await callRaw(caller, asked);
  if (isStatus(answer, 403) || isStatus(answer, 404)) return false;
  return bodyOf(asked, answer).id === team.id;
}

/** The login may belong to another account by now. */
async function isMember(
  caller: Caller,
  { repository, account, team }: Membership & { readonly team: Team },
): Promise<boolean> {
  const asked = {
    where: repository.name,
    name: "look up member",
    manner: "read",
    method: "GET",
    path: `/teams/${team.id}/members/${encodeURIComponent(account.login)}`,
    shape: GiteaUser,
  } as const;
  const answer = await callRaw(caller, asked);
  return !isStatus(answer, 404) && bodyOf(asked, answer).id === account.id;
}
