import { z } from "zod";
import type { Permission } from "#core/model/account.ts";
import { after, type Instant } from "#core/model/instant.ts";
import { type Caller, callRest } from "#forges/github/github-call.ts";
import { githubLimits } from "#forges/github/github-limits.ts";
import { atRepository, nameParams } from "#forges/github/github-paths.ts";
import { GithubId } from "#forges/github/github-schema.ts";
import { type Forge, ForgeError } from "#ports/forge.ts";

/** `maintain` is told as write and `triage` as read, under any name of the role. */
const RestPermission = z.object({
  permission: z.enum(["admin", "write", "read", "none"]),
  user: z.object({ id: GithubId }).nullable(),
});

type FetchPermission = Forge["fetchPermission"];

/** Answers are kept for minutes; what was not told is asked again. */
export function createFetchPermission(caller: Caller): FetchPermission {
  const kept = new Map<string, { readonly permission: Permission; readonly until: Instant }>();
  return async (request) => {
    const key = `${request.repository.id} ${request.account.id} ${request.account.login}`;
    const known = kept.get(key);
    if (known !== undefined && caller.clock.now() < known.until) return known.permission;
    const permission = await ask(caller, request);
    if (permission === "undetermined") return permission;
    if (kept.size >= githubLimits.permissionsMax) kept.clear();
    kept.set(key, { permission, until: after(caller.clock.now(), githubLimits.permissionMsMax) });
    return permission;
  };
}

async function ask(caller: Caller, request: Parameters<FetchPermission>[0]): Promise<Permission> {
  const { repository, account } = request;
  const answer = await callRest(caller, {
    ...atRepository(repository),
    name: "look up permission",
    rights: "look",
    manner: "read",
    method: "GET",
    path: "/repos/{owner}/{repo}/collaborators/{username}/permission",
    params: { ...nameParams(repository.name), username: account.login },
    shape: RestPermission,
  }).catch((error: unknown) => {
    // Not visible, or no such account: neither is a permission.
    const isUntold = error instanceof ForgeError && (error.kind === "forbidden" || error.kind === "not_found");
    if (isUntold) return undefined;
    throw error;
  });
  // The login may belong to another account by now.
  return answer?.user?.id === account.id ? answer.permission : "undetermined";
}
