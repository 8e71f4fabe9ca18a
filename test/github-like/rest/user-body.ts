import type { Account } from "#core/model/account.ts";
import { nodeId } from "#github-like/node-id.ts";
import type { Sight } from "#github-like/sight.ts";

/** In REST the login of an App's bot ends so; GraphQL leaves it away. */
const botSuffix = "[bot]";

export function restLogin({ login, kind }: Account): string {
  return kind === "bot" && !login.endsWith(botSuffix) ? login + botSuffix : login;
}

export function graphqlLogin({ login, kind }: Account): string {
  return kind === "bot" && login.endsWith(botSuffix) ? login.slice(0, -botSuffix.length) : login;
}

export function accountNode({ id, kind }: Account): string {
  return nodeId(kind === "bot" ? "BOT" : "U", id);
}

export function findAccount({ world }: Sight, login: string): Account | undefined {
  const wanted = login.toLowerCase();
  return [...world.accounts.values()].find((account) => restLogin(account).toLowerCase() === wanted);
}

/** The short form of a user that stands in most answers. */
export function userBody({ url }: Pick<Sight, "url">, account: Account): object {
  const login = restLogin(account);
  const at = `${url}/users/${encodeURIComponent(login)}`;
  return {
    login,
    id: Number(account.id),
    node_id: accountNode(account),
    avatar_url: `${url}/avatars/${account.id}`,
    gravatar_id: "",
    url: at,
    html_url: account.kind === "bot" ? `${url}/apps/${graphqlLogin(account)}` : `${url}/${login}`,
    followers_url: `${at}/followers`,
    following_url: `${at}/following{/other_user}`,
    gists_url: `${at}/gists{/gist_id}`,
    starred_url: `${at}/starred{/owner}{/repo}`,
    subscriptions_url: `${at}/subscriptions`,
    organizations_url: `${at}/orgs`,
    repos_url: `${at}/repos`,
    events_url: `${at}/events{/privacy}`,
    received_events_url: `${at}/received_events`,
    type: account.kind === "bot" ? "Bot" : "User",
    site_admin: false,
  };
}

/** The long form, of which the sandbox knows nothing: everything in it is empty. */
export function publicUserBody(sight: Pick<Sight, "url">, account: Account): object {
  return {
    ...userBody(sight, account),
    name: null,
    company: null,
    blog: "",
    location: null,
    email: null,
    hireable: null,
    bio: null,
    public_repos: 0,
    public_gists: 0,
    followers: 0,
    following: 0,
    created_at: longAgo,
    updated_at: longAgo,
  };
}

/** When what the sandbox has no time for was made. */
export const longAgo = "2020-01-01T00:00:00Z";
