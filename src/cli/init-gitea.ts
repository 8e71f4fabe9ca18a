import { type GiteaHook, type GiteaInit, initGitea } from "#app/init/init-gitea.ts";
import { readUrlOption } from "#cli/read-url.ts";
import { type Terminal, UsageError } from "#cli/terminal.ts";

export interface InitGiteaCall {
  readonly url?: string | undefined;
  readonly apiUrl?: string | undefined;
  readonly repo?: string | undefined;
  readonly data: string;
  readonly json?: boolean | undefined;
}

/** `drover init --gitea`: what a Gitea server needs, step by step; and its webhooks, where address and token are there. */
export async function initGiteaServer(call: InitGiteaCall, terminal: Terminal): Promise<number> {
  const { env } = terminal;
  const giteaUrl = readUrlOption("--api-url", call.apiUrl ?? env["GITEA_URL"])?.replace(/\/api\/v1$/, "") ?? null;
  const serverUrl = readUrlOption("--url", call.url) ?? null;
  const repositories = readRepositories(call.repo);
  const token = env["GITEA_TOKEN"] ?? "";
  const init = await initGitea({
    giteaUrl,
    serverUrl,
    repositories,
    token: token === "" ? null : token,
    dataFolder: call.data,
  });
  terminal.out(call.json === true ? `${JSON.stringify({ kind: "gitea", ...init })}\n` : pageOf(init));
  const refused = (init.webhook?.made ?? []).filter(({ kind }) => kind === "refused");
  for (const one of refused) terminal.err(`drover: no webhook was made: ${"why" in one ? one.why : ""}\n`);
  return refused.length === 0 ? 0 : 1;
}

function readRepositories(asked: string | undefined): readonly string[] {
  const names = asked === undefined ? [] : asked.split(",").map((name) => name.trim());
  const wrong = names.find((name) => !/^[\w.-]+\/[\w.-]+$/.test(name));
  if (wrong !== undefined) throw new UsageError(`--repo ${wrong}: expected owner/name.`);
  return names;
}

function pageOf({ giteaUrl, scopes, webhook, config }: GiteaInit): string {
  const width = Math.max(...scopes.map(({ name }) => name.length));
  return [
    `1. On ${giteaUrl}, give Drover an account of its own, and make it an administrator of each repository:`,
    "   Gitea tells the permissions of others to administrators only, and Drover obeys no person with an unknown permission.",
    "2. As that account, make a token (Settings > Applications) with these scopes, and keep it as GITEA_TOKEN:",
    ...scopes.map(({ name, why }) => `     ${name.padEnd(width)}  ${why}`),
    ...(webhook === null ? noHookLines : hookLines(webhook)),
    "4. In drover.config.yml:",
    "",
    config,
  ].join("\n");
}

const noHookLines = [
  "3. No webhooks: say --url https://drover.example, where Gitea reaches Drover, to have them. Until then Drover polls.",
];

function hookLines({ url, secretFile, events, made }: GiteaHook): readonly string[] {
  const reach =
    "   Gitea sends nothing to private addresses unless [webhook] ALLOWED_HOST_LIST in its app.ini names them.";
  const done = made.flatMap(({ repository, kind }) => (kind === "refused" ? [] : [`     ${repository}: ${kind}`]));
  if (done.length > 0) return [`3. The webhooks to ${url}:`, ...done, reach];
  return [
    `3. In each repository, or once for an organisation, add a webhook of the type Gitea (Settings > Webhooks),`,
    "   or have it made: GITEA_TOKEN in the environment, --api-url https://git.example --repo owner/name.",
    `     target URL    ${url}, POST, application/json`,
    `     secret        the line in ${secretFile}`,
    `     events        everything about pull requests (${events.join(", ")})`,
    reach,
  ];
}
