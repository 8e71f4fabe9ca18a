import type { Account } from "#core/model/account.ts";
import type { Sight } from "#gitea-like/sight.ts";

type Place = Pick<Sight, "url" | "asker" | "version">;

/** When what the sandbox has no time for was made. */
export const longAgo = "2020-01-01T00:00:00Z";

/** What Go writes for no time. */
export const never = "0001-01-01T00:00:00Z";

/** There is no word on whether it is a bot. Some fields are told to the account itself alone. */
export function userBody({ url, asker, version }: Place, { id, login }: Account): object {
  const isSelf = asker.id === id;
  return {
    id: Number(id),
    login,
    login_name: "",
    ...(version.isFrom(22) && { source_id: 0, html_url: `${url}/${login}` }),
    full_name: "",
    email: isSelf ? `${login}@example.com` : `${login}@noreply.localhost`,
    avatar_url: `${url}/avatars/${id}`,
    language: isSelf ? "en-US" : "",
    is_admin: false,
    last_login: isSelf ? longAgo : never,
    created: longAgo,
    restricted: false,
    active: isSelf,
    prohibit_login: false,
    location: "",
    website: "",
    description: "",
    visibility: "public",
    followers_count: 0,
    following_count: 0,
    starred_repos_count: 0,
    // Not described, and always there.
    username: login,
  };
}

export function findAccount({ world }: Sight, login: string): Account | undefined {
  const wanted = login.toLowerCase();
  return [...world.accounts.values()].find((account) => account.login.toLowerCase() === wanted);
}
