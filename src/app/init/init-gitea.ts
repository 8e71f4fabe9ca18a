import { randomBytes } from "node:crypto";
import { join, resolve } from "node:path";
import { ensureOwnerOnlyFile } from "#app/init/owner-only-file.ts";
import { usualBudget } from "#app/models/warn-uncapped.ts";
import { createSystemClock } from "#app/system-clock.ts";
import { ensureGiteaWebhook, giteaHookEvents, type WebhookSetupOutcome } from "#forges/gitea/gitea-webhook-setup.ts";

export interface GiteaInitOptions {
  /** Where the Gitea server is; null while nobody has said it. */
  readonly giteaUrl: string | null;
  /** Where `drover serve` is reached from there; null: there will be no webhooks, and Drover polls. */
  readonly serverUrl: string | null;
  readonly repositories: readonly string[];
  /** Null: nothing is asked of the server. */
  readonly token: string | null;
  readonly dataFolder: string;
}

/** Everything that a Gitea server and Drover have to know of each other. */
export interface GiteaInit {
  readonly giteaUrl: string;
  readonly scopes: readonly GiteaTokenScope[];
  readonly webhook: GiteaHook | null;
  /** The piece of `drover.config.yml` that uses it. */
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
  /** What became of each repository; none where nobody was asked. */
  readonly made: readonly (WebhookSetupOutcome & { readonly repository: string })[];
}

/** Makes the webhooks where all that it takes was given, and says what is left to be done. Twice is once. */
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

/** JSON is YAML: nothing in it needs other quotes. */
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
