import { z } from "zod";
import { RepositoryId } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import { type Caller, callRest } from "#forges/github/github-call.ts";
import { nameParams } from "#forges/github/github-paths.ts";
import type { GithubRights } from "#forges/github/github-rights.ts";
import { GithubId } from "#forges/github/github-schema.ts";
import { ForgeError } from "#ports/forge.ts";
import type { RepositoryRef } from "#ports/pull-ref.ts";

const RestRepository = z.object({
  id: GithubId,
  full_name: z.string().min(1),
  clone_url: z.string().min(1),
  /** A token that can only read is told none of them. */
  allow_merge_commit: z.boolean().optional(),
  allow_squash_merge: z.boolean().optional(),
  allow_rebase_merge: z.boolean().optional(),
});
export type RestRepository = z.infer<typeof RestRepository>;

/** Free of the limit while unchanged. An old name leads here until another repository gets it. */
export async function fetchRestRepository(
  caller: Caller,
  request: {
    readonly name: string;
    readonly id?: string;
    readonly manner: "read" | "look";
    readonly rights: GithubRights;
    readonly since?: Instant;
  },
): Promise<RestRepository> {
  const { name, id, manner, rights, since } = request;
  const found = await callRest(caller, {
    where: name,
    name: "look up repository",
    repository: id === undefined ? { name } : { name, id },
    rights,
    manner,
    ...(since === undefined ? {} : { since }),
    method: "GET",
    path: "/repos/{owner}/{repo}",
    params: nameParams(name),
    shape: RestRepository,
  });
  if (id === undefined || found.id === id) return found;
  throw new ForgeError("not_found", `github ${name}: it is another repository by now`, { isApplied: "no" });
}

export async function fetchRepository(caller: Caller, name: string): Promise<RepositoryRef> {
  const { id, full_name } = await fetchRestRepository(caller, { name, manner: "read", rights: "look" });
  return { id: RepositoryId.parse(id), name: full_name };
}
