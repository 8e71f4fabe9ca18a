import { randomBytes } from "node:crypto";
import { join, resolve } from "node:path";
import { ensureOwnerOnlyFile } from "#app/init/owner-only-file.ts";
import { usualBudget } from "#app/models/warn-uncapped.ts";
import { createSystemClock } from "#app/system-clock.ts";
import { ensureGiteaWebhook, giteaHookEvents, type WebhookSetupOutcome } from "#forges/gitea/gitea-webhook-setup.ts";

export interface GiteaInitOptions {
  readonly giteaUrl: string | null;
  /** As Gitea reaches it. Null: there are no webhooks, and Drover polls. */
  readonly serverUrl: string | null;
  readonly repositories: readonly string[];
  readonly token: string | null;
  readonly dataFolder: string;
}

export interface GiteaInit {
  readonly giteaUrl: string;
  readonly scopes: readonly GiteaTokenScope[];
  readonly webhook: GiteaHook | null;
  readonly config: string;
}

export interface GiteaTokenScope {
  readonly name: string;
  readonly why: string;
}

export interface GiteaHook {
  readonly url: string;
  readonly secretFile: string;
  readonly events: readonly string[];
  readonly made: readonly (WebhookSetupOutcome & { readonly repository: string })[];
}

export async function initGitea(options: GiteaInitOptions): Promise<GiteaInit> {
  const giteaUrl = options.giteaUrl ?? "https://git.example";
  const webhook = options.serverUrl === null ? null : await makeHooks(options, options.serverUrl);
  const { repositories } = options;
  return { giteaUrl, scopes: tokenScopes, webhook, config: configPiece({ giteaUrl, webhook, repositories }) };
}

const tokenScopes: readonly GiteaTokenScope[] = [
  { name: "write:repository", why: "reviews, the gate, pushes, merges and webhooks" },
  { name: "write:issue", why: "comments, reactions and labels, which Gitea stores with issues" },
  { name: "read:user", why: "to know which account the token belongs to" },
  { name: "read:organization", why: "to know the members of teams, if an organisation owns the repository" },
];

const secretBytes = 32;

async function makeHooks(options: GiteaInitOptions, serverUrl: string): Promise<GiteaHook> {
  const { giteaUrl, token, repositories, dataFolder } = options;
  const secretFile = join(resolve(dataFolder), "gitea-webhook-secret");
  const secret = await ensureOwnerOnlyFile(secretFile, () => randomBytes(secretBytes).toString("hex"));
  const url = `${serverUrl}/webhooks/gitea`;
  const hook = { url, secretFile, events: giteaHookEvents };
  if (giteaUrl === null || token === null) return { ...hook, made: [] };
  const access = { url: giteaUrl, token, clock: createSystemClock() };
  const made: GiteaHook["made"][number][] = [];
  for (const repository of repositories) {
    made.push({ repository, ...(await ensureGiteaWebhook({ ...access, repository, target: url, secret })) });
  }
  return { ...hook, made };
}

/** JSON is YAML, so nothing needs other quotes. */
function configPiece(known: {
  readonly giteaUrl: string;
  readonly webhook: GiteaHook | null;
  readonly repositories: readonly string[];
}): string {
  const { giteaUrl, webhook, repositories } = known;
  const secrets = webhook === null ? "" : `{ file: ${JSON.stringify(webhook.secretFile)} }`;
  const polled = repositories.length === 0 ? ["owner/name"] : repositories;
  return `forges:
  - name: gitea
    kind: gitea
    url: ${JSON.stringify(giteaUrl)}
    token: { env: GITEA_TOKEN }
    webhookSecrets: [${secrets}]
    repositories: ${JSON.stringify(polled)}
# What models may cost, in dollars, once there are any.
${usualBudget}
`;
}
