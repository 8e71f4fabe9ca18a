import { detectPushes } from "#forges/sandbox/detect-pushes.ts";
import { EndpointRefusal, notFound } from "#forges/sandbox/refusal.ts";
import { mayWrite, permissionIn } from "#forges/sandbox/world.ts";
import { page } from "#github-like/rest/page.ts";
import { repositoryBody } from "#github-like/rest/repository-body.ts";
import { ok, param, type Route, repositoryName } from "#github-like/rest/route.ts";
import { findAccount, publicUserBody, userBody } from "#github-like/rest/user-body.ts";
import { isVisible, mustFindRepository } from "#github-like/sight.ts";

export const repositoryRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/user",
    name: "get_user",
    isWrite: false,
    needs: [],
    serve(sight) {
      if (sight.rights.kind !== "person") throw new EndpointRefusal(403, "Resource not accessible by integration");
      return ok(publicUserBody(sight, sight.asker));
    },
  },
  {
    method: "GET",
    path: "/users/{username}",
    name: "get_account",
    isWrite: false,
    needs: [],
    serve(sight, { params }) {
      const account = findAccount(sight, param(params, "username"));
      if (account === undefined) throw notFound();
      return ok(publicUserBody(sight, account));
    },
  },
  {
    method: "GET",
    path: "/installation/repositories",
    name: "list_installation_repositories",
    isWrite: false,
    needs: [["metadata", "read"]],
    serve(sight, asked) {
      if (sight.rights.kind !== "installation") {
        throw new EndpointRefusal(
          403,
          "You must authenticate with an installation access token in order to list repositories for an installation.",
        );
      }
      const items = [...sight.world.repositories.values()].filter((repository) => isVisible(sight, repository));
      return page(sight, asked, {
        items,
        path: "/installation/repositories",
        toBody: (repository) => repositoryBody(sight, repository),
        wrap: (repositories) => ({ total_count: items.length, repository_selection: "selected", repositories }),
      });
    },
  },
  {
    method: "GET",
    path: "/repos/{owner}/{repo}",
    name: "get_repository",
    isWrite: false,
    needs: [["metadata", "read"]],
    async serve(sight, asked) {
      return ok(repositoryBody(sight, await mustFindRepository(sight, repositoryName(asked))));
    },
  },
  {
    method: "GET",
    path: "/repositories/{repository_id}",
    name: "get_repository",
    isWrite: false,
    needs: [["metadata", "read"]],
    async serve(sight, { params }) {
      const wanted = param(params, "repository_id");
      const found = [...sight.world.repositories.values()].find(({ ref }) => ref.id === wanted);
      if (found === undefined || !isVisible(sight, found)) throw notFound();
      await detectPushes(sight.world, found);
      return ok(repositoryBody(sight, found));
    },
  },
  {
    method: "GET",
    path: "/repos/{owner}/{repo}/collaborators/{username}/permission",
    name: "get_permission",
    isWrite: false,
    needs: [["metadata", "read"]],
    async serve(sight, asked) {
      const repository = await mustFindRepository(sight, repositoryName(asked));
      if (sight.rights.kind === "person" && !mayWrite(repository, sight.asker)) {
        throw new EndpointRefusal(403, "Must have push access to view collaborator permission.");
      }
      const account = findAccount(sight, param(asked.params, "username"));
      if (account === undefined) throw new EndpointRefusal(404, `${param(asked.params, "username")} is not a user`);
      const permission = permissionIn(repository, account);
      const user = { ...userBody(sight, account), permissions: roleBody(permission), role_name: permission };
      return ok({ permission, role_name: permission, user });
    },
  },
];

function roleBody(permission: string): object {
  const mayPush = permission === "write" || permission === "admin";
  return {
    admin: permission === "admin",
    maintain: permission === "admin",
    push: mayPush,
    triage: mayPush,
    pull: permission !== "none",
  };
}
