import { NotFound } from "#gitea-like/refusals.ts";
import { ok, param, type Route } from "#gitea-like/rest/route.ts";
import { findAccount, userBody } from "#gitea-like/rest/user-body.ts";

export const siteRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/version",
    name: "get_version",
    isWrite: false,
    scope: null,
    serve: ({ version }) => ok({ version: version.text }),
  },
  {
    method: "GET",
    path: "/settings/api",
    name: "get_api_settings",
    isWrite: false,
    scope: null,
    serve: ({ world }) =>
      ok({
        max_response_items: world.quirks.pageSize,
        default_paging_num: 30,
        default_git_trees_per_page: 1000,
        default_max_blob_size: 10_485_760,
        default_max_response_size: 104_857_600,
      }),
  },
  {
    method: "GET",
    path: "/user",
    name: "get_user",
    isWrite: false,
    scope: "user",
    serve: (sight) => ok(userBody(sight, sight.asker)),
  },
  {
    method: "GET",
    path: "/users/{username}",
    name: "get_user_by_name",
    isWrite: false,
    scope: "user",
    serve(sight, { params }) {
      const login = param(params, "username");
      const account = findAccount(sight, login);
      if (account === undefined) throw new NotFound(`user redirect does not exist [name: ${login}]`);
      return ok(userBody(sight, account));
    },
  },
];
