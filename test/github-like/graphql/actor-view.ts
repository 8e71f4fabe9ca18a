import type { Account } from "#core/model/account.ts";
import type { View } from "#github-like/graphql/view.ts";
import { accountNode, graphqlLogin, longAgo, restLogin } from "#github-like/rest/user-body.ts";
import type { Sight } from "#github-like/sight.ts";

/** A person or a bot. GraphQL's logins of bots have no `[bot]` at their end. */
export function actorView({ url }: Sight, account: Account): View {
  const login = graphqlLogin(account);
  return {
    __typename: account.kind === "bot" ? "Bot" : "User",
    id: accountNode(account),
    databaseId: Number(account.id),
    login,
    avatarUrl: `${url}/avatars/${account.id}`,
    url: `${url}/${restLogin(account)}`,
    resourcePath: `/${restLogin(account)}`,
    createdAt: longAgo,
    updatedAt: longAgo,
    name: null,
    email: "",
  };
}

/** Whoever holds the token. An App's bot is a `User` here, with the suffix. */
export function viewerView(sight: Sight): View {
  return { ...actorView(sight, sight.asker), __typename: "User", login: restLogin(sight.asker) };
}
