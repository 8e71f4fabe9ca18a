import { z } from "zod";
import type { Permission } from "#core/model/account.ts";
import { after, type Instant } from "#core/model/instant.ts";
import { bodyOf, type Caller, callRaw } from "#forges/gitea/gitea-call.ts";
import { isStatus } from "#forges/gitea/gitea-error.ts";
import { giteaLimits } from "#forges/gitea/gitea-limits.ts";
import { repositoryPath } from "#forges/gitea/gitea-paths.ts";
import { GiteaUser } from "#forges/gitea/gitea-schema.ts";
import { createFetchTeamRight, type FetchTeamRight } from "#forges/gitea/gitea-teams.ts";
import type { Forge } from "#ports/forge.ts";

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
