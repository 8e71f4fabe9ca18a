import { createHash } from "node:crypto";
import { readFileAt } from "#forge-like/read-file-at.ts";
import { EndpointRefusal } from "#forges/sandbox/refusal.ts";
import { permissionIn, type Repository } from "#forges/sandbox/world.ts";
import { NotFound } from "#gitea-like/refusals.ts";
import { commitBodies, commitBody } from "#gitea-like/rest/commit-body.ts";
import { repositoryBody, repositoryUrl } from "#gitea-like/rest/repository-body.ts";
import { numberParam, ok, param, type Route, repositoryAsked } from "#gitea-like/rest/route.ts";
import { commitAt } from "#gitea-like/rest/status-routes.ts";
import { findAccount, userBody } from "#gitea-like/rest/user-body.ts";
import { mustFindRepositoryById, type Sight } from "#gitea-like/sight.ts";

const one = "/repos/{owner}/{repo}";

export const repositoryRoutes: readonly Route[] = [
  {
    method: "GET",
    path: one,
    name: "get_repository",
    isWrite: false,
    scope: "repository",
    serve: async (sight, asked) => ok(repositoryBody(sight, await repositoryAsked(sight, asked))),
  },
  {
    method: "GET",
    path: "/repositories/{id}",
    name: "get_repository_by_id",
    isWrite: false,
    scope: "repository",
    serve: async (sight, asked) =>
      ok(repositoryBody(sight, await mustFindRepositoryById(sight, numberParam(asked, "id")))),
  },
  {
    method: "GET",
    path: `${one}/collaborators/{collaborator}/permission`,
    name: "get_permission",
    isWrite: false,
    scope: "repository",
    // Admins may ask about everybody, the others about themselves.
    async serve(sight, asked) {
      const repository = await repositoryAsked(sight, asked);
      const login = param(asked.params, "collaborator");
      const isSelf = sight.asker.login.toLowerCase() === login.toLowerCase();
      const mayKnow =
        isSelf ||
        sight.isSiteAdmin ||
        permissionIn(repository, sight.asker) === "admin" ||
        !sight.world.quirks.hidesPermissions;
      if (!mayKnow) throw new EndpointRefusal(403, forbidden);
      const account = findAccount(sight, login);
      if (account === undefined) throw new NotFound(`user does not exist [uid: 0, name: ${login}]`);
      const word = permissionWord(repository, login, permissionIn(repository, account));
      return ok({ permission: word, role_name: word, user: userBody(sight, account) });
    },
  },
  {
    method: "GET",
    path: `${one}/teams`,
    name: "list_teams",
    isWrite: false,
    scope: "repository",
    // The sandbox has no organisations.
    async serve(sight, asked) {
      await repositoryAsked(sight, asked);
      throw new EndpointRefusal(405, "repo is not owned by an organization");
    },
  },
  {
    method: "GET",
    path: `${one}/contents/{filepath}`,
    name: "get_contents",
    isWrite: false,
    scope: "repository",
    async serve(sight, asked) {
      const repository = await repositoryAsked(sight, asked);
      const commit = await commitAt(sight, repository, asked.query.get("ref") ?? "main");
      const path = param(asked.params, "filepath");
      const content = await readFileAt(sight, repository, { commit, path });
      if (content === undefined) throw new NotFound(`object does not exist [id: , rel_path: ${path}]`);
      return ok(contentBody(sight, repository, { path, content, commit }));
    },
  },
  {
    method: "GET",
    path: `${one}/git/commits/{sha}`,
    name: "get_commit",
    isWrite: false,
    scope: "repository",
    async serve(sight, asked) {
      const repository = await repositoryAsked(sight, asked);
      const sha = await commitAt(sight, repository, param(asked.params, "sha"));
      return ok(commitBody(sight, repository, { sha, made: repository.commits.get(sha) }));
    },
  },
  {
    method: "GET",
    path: `${one}/compare/{basehead}`,
    name: "compare",
    isWrite: false,
    scope: "repository",
    since: 22,
    async serve(sight, asked) {
      const repository = await repositoryAsked(sight, asked);
      const [base = "", head = ""] = param(asked.params, "basehead").split("...");
      const between = { base: await commitAt(sight, repository, base), head: await commitAt(sight, repository, head) };
      const commits = await commitBodies(sight, repository, between);
      return ok({ total_commits: commits.length, commits });
    },
  },
];

const forbidden =
  "Only admins can query all permissions, repo admins can query all repo permissions, collaborators can query only their own";

/** Whoever a repository is named after owns it. */
function permissionWord({ ref }: Repository, login: string, permission: string): string {
  return ref.name.toLowerCase().startsWith(`${login.toLowerCase()}/`) ? "owner" : permission;
}

function contentBody(
  sight: Sight,
  { ref }: Repository,
  { path, content, commit }: { readonly path: string; readonly content: Buffer; readonly commit: string },
): object {
  const api = repositoryUrl(sight, ref.name);
  const sha = createHash("sha1").update(`blob ${content.length}\0`).update(content).digest("hex");
  const place = path.split("/").map(encodeURIComponent).join("/");
  const self = `${api}/contents/${place}?ref=${commit}`;
  const git = `${api}/git/blobs/${sha}`;
  const html = `${sight.url}/${ref.name}/src/commit/${commit}/${place}`;
  return {
    name: path.split("/").at(-1),
    path,
    sha,
    last_commit_sha: commit,
    type: "file",
    size: content.length,
    encoding: "base64",
    content: content.toString("base64"),
    target: null,
    url: self,
    html_url: html,
    git_url: git,
    download_url: `${sight.url}/${ref.name}/raw/commit/${commit}/${place}`,
    submodule_git_url: null,
    _links: { self, git, html },
  };
}
