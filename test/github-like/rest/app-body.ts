import type { Account } from "#core/model/account.ts";
import { appNumber } from "#github-like/app-number.ts";
import type { GithubLikeApp } from "#github-like/app-state.ts";
import { nodeId } from "#github-like/node-id.ts";
import { graphqlLogin, longAgo, userBody } from "#github-like/rest/user-body.ts";
import type { Sight } from "#github-like/sight.ts";

const events: readonly string[] = ["check_run", "issue_comment", "pull_request", "pull_request_review", "status"];

/** The App behind a bot. */
export function integrationBody(sight: Sight, bot: Account): object {
  const app = sight.apps.apps.find((candidate) => candidate.bot.id === bot.id);
  const id = appNumber(sight.apps, bot);
  return {
    id,
    slug: graphqlLogin(bot),
    node_id: nodeId("A", id),
    client_id: `Iv1.${id}`,
    owner: userBody(sight, bot),
    name: graphqlLogin(bot),
    description: null,
    external_url: "https://example.com",
    html_url: `${sight.url}/apps/${graphqlLogin(bot)}`,
    created_at: longAgo,
    updated_at: longAgo,
    permissions: app?.permissions ?? {},
    events,
  };
}

export function installationBody(sight: Sight, app: GithubLikeApp): object {
  const isSuspended = sight.extras.suspended.has(app.installation);
  const at = `${sight.url}/app/installations/${app.installation}`;
  return {
    id: app.installation,
    account: userBody(sight, app.bot),
    repository_selection: "selected",
    access_tokens_url: `${at}/access_tokens`,
    repositories_url: `${sight.url}/installation/repositories`,
    html_url: at,
    app_id: app.id,
    app_slug: app.slug,
    client_id: `Iv1.${app.id}`,
    target_id: Number(app.bot.id),
    target_type: "User",
    permissions: app.permissions,
    events,
    created_at: longAgo,
    updated_at: longAgo,
    single_file_name: null,
    suspended_by: isSuspended ? userBody(sight, app.bot) : null,
    suspended_at: isSuspended ? longAgo : null,
  };
}
