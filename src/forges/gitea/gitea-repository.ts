import { RepositoryId } from "#core/model/ids.ts";
import { type Caller, call, type ReadingManner } from "#forges/gitea/gitea-call.ts";
import { repositoryPath } from "#forges/gitea/gitea-paths.ts";
import { GiteaRepository } from "#forges/gitea/gitea-schema.ts";
import { ForgeError } from "#ports/forge.ts";
import type { Remote } from "#ports/git.ts";
import type { RepositoryRef } from "#ports/pull-ref.ts";

interface RepositoryLook extends ReadingManner {
  readonly name: string;
  readonly id?: string;
}

/** An old name leads here until another repository gets it. */
export async function fetchGiteaRepository(caller: Caller, look: RepositoryLook): Promise<GiteaRepository> {
  const { name, id, ...how } = look;
  const found = await call(caller, {
    ...how,
    where: name,
    name: "look up repository",
    method: "GET",
    path: repositoryPath({ name }),
    shape: GiteaRepository,
  });
  if (id === undefined || found.id === id) return found;
  throw new ForgeError("not_found", `gitea ${name}: it is another repository by now`, { isApplied: "no" });
}

export async function fetchRepository(caller: Caller, name: string): Promise<RepositoryRef> {
  const { id, full_name } = await fetchGiteaRepository(caller, { name, manner: "read" });
  return { id: RepositoryId.parse(id), name: full_name };
}

/** At the operator's address, since the token goes there: the server's own may be wrong. Any user name will do. */
export async function fetchRemote(
  caller: Caller,
  { url, token }: { readonly url: string; readonly token: string },
  { name, id }: RepositoryRef,
): Promise<Remote> {
  const { full_name } = await fetchGiteaRepository(caller, { name, id, manner: "read" });
  const path = full_name.split("/").map(encodeURIComponent).join("/");
  return { url: `${url}/${path}.git`, credential: { username: "drover", reveal: () => token } };
}
