import { defaultForgeKind, forgeKinds } from "#app/forge/forge-kinds.ts";
import { createGithubApp } from "#app/init/create-github-app.ts";
import { type GiteaHook, type GiteaInit, initGitea } from "#app/init/init-gitea.ts";
import { findWorkflow, writeWorkflow } from "#app/init/write-workflow.ts";
import { readPort } from "#cli/read-port.ts";
import { type Terminal, UsageError } from "#cli/terminal.ts";
import { isPlainUrl } from "#config/plain-url.ts";
import { hasCode } from "#core/error-code.ts";

interface InitGiteaCall {
  readonly url?: string | undefined;
  readonly apiUrl?: string | undefined;
  readonly repo?: string | undefined;
  readonly data: string;
  readonly json?: boolean | undefined;
}

async function initGiteaServer(call: InitGiteaCall, terminal: Terminal): Promise<number> {
  const { env } = terminal;
  const giteaUrl = readUrlOption("--api-url", call.apiUrl ?? env["GITEA_URL"])?.replace(/\/api\/v1$/, "") ?? null;
  const serverUrl = readUrlOption("--url", call.url) ?? null;
  const repositories = readRepositories(call.repo);
  const token = env["GITEA_TOKEN"] ?? "";
  const made = await initGitea({
    giteaUrl,
    serverUrl,
    repositories,
    token: token === "" ? null : token,
    dataFolder: call.data,
  });
  terminal.out(call.json === true ? `${JSON.stringify({ kind: "gitea", ...made })}\n` : pageOf(made));
  const refused = (made.webhook?.made ?? []).filter(({ kind }) => kind === "refused");
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

export interface InitCall {
  readonly workflow?: boolean | undefined;
  readonly githubApp?: boolean | undefined;
  /** With a workflow: for Gitea Actions. Alone: for a server. */
  readonly gitea?: boolean | undefined;
  readonly force?: boolean | undefined;
  /** `owner/name@commit`; a workflow needs it. */
  readonly action?: string | undefined;
  readonly folder?: string | undefined;
  readonly port?: string | undefined;
  readonly org?: string | undefined;
  readonly url?: string | undefined;
  readonly apiUrl?: string | undefined;
  readonly data: string;
  /** Separated by commas. */
  readonly repo?: string | undefined;
  readonly json?: boolean | undefined;
}

export async function init(call: InitCall, terminal: Terminal, signal: AbortSignal): Promise<number> {
  const { workflow = false, githubApp = false, gitea = false } = call;
  if (workflow && !githubApp) return await initWorkflow(call, terminal);
  if (githubApp && !workflow && !gitea) return await initApp(call, terminal, signal);
  if (gitea && !githubApp) return await initGiteaServer(call, terminal);
  throw new UsageError(
    "init needs one of --workflow (run as an Action; with --gitea as one of Gitea), --github-app and --gitea (run a server).",
  );
}

async function initWorkflow(call: InitCall, terminal: Terminal): Promise<number> {
  const workflow = findWorkflow(kindOf({ ...call }));
  if (workflow === undefined) throw new UsageError("Drover cannot run in the CI of such a forge.");
  const { path, actionPattern, actionMissing, secretLines } = workflow;
  const { action } = call;
  // Where this copy of Drover is published is unknown, and a guessed repository could run another person's code.
  if (action === undefined) throw new UsageError(actionMissing);
  if (!actionPattern.test(action)) {
    throw new UsageError(`--action ${action}: expected owner/name@ref, best with a whole commit id.`);
  }
  const folder = call.folder ?? ".";
  const written = await writeWorkflow(workflow, { folder, action, mayOverwrite: call.force === true });
  if (written === "there_already") {
    throw new UsageError(`${path} is there already: look at it, and say --force to write over it.`);
  }
  if (call.json === true) terminal.out(`${JSON.stringify({ kind: "written", path, action })}\n`);
  else terminal.out(workflowWords({ path, action, secretLines }));
  return 0;
}

function kindOf(call: Readonly<Record<string, unknown>>): string {
  return forgeKinds.find((kind) => call[kind] === true) ?? defaultForgeKind;
}

function workflowWords(written: {
  readonly path: string;
  readonly action: string;
  readonly secretLines: readonly string[];
}): string {
  const { path, action } = written;
  const isCommit = /@[0-9a-f]{40}$/.test(action);
  return [
    `${path} is written; it runs ${action}.`,
    ...(isCommit
      ? []
      : ["A tag or branch can be moved: name a commit with --action owner/name@COMMIT to be sure of the code."]),
    "Give the repository the secret that Drover marks its notes with, and commit the file:",
    ...written.secretLines,
    "",
  ].join("\n");
}

const anyFreePort = "0";

async function initApp(call: InitCall, terminal: Terminal, signal: AbortSignal): Promise<number> {
  const made = await createGithubApp({
    port: readPort(call.port ?? anyFreePort),
    apiUrl: readUrlOption("--api-url", call.apiUrl) ?? "https://api.github.com",
    organisation: call.org ?? null,
    serverUrl: readUrlOption("--url", call.url) ?? null,
    dataFolder: call.data,
    signal,
    onReady: ({ url, manifest }) => {
      const ready = { kind: "ready", url, manifest };
      terminal.out(
        call.json === true
          ? `${JSON.stringify(ready)}\n`
          : `Open ${url} in a browser on this machine; Ctrl-C ends it.\n`,
      );
    },
  }).catch(sayWhyNot);
  if (made === null) {
    terminal.err("drover: no App was made\n");
    return 1;
  }
  const { id, slug, installUrl, keyFile, secretFile, config } = made;
  const facts = { kind: "made", id, slug, installUrl, keyFile, secretFile, config };
  terminal.out(
    call.json === true
      ? `${JSON.stringify(facts)}\n`
      : `The App ${slug} is made. Install it: ${installUrl}\nIn drover.config.yml:\n\n${config}`,
  );
  return 0;
}

function sayWhyNot(error: unknown): never {
  const isTaken = hasCode(error, "EADDRINUSE");
  if (!isTaken) throw error;
  throw new UsageError("the port is taken: choose another one with --port, or any that is free without it.", {
    cause: error,
  });
}

function readUrlOption(option: string, asked: string | undefined): string | undefined {
  if (asked === undefined) return undefined;
  if (isPlainUrl(asked)) return asked.replace(/\/+$/, "");
  // Not repeated: it may hold a password.
  throw new UsageError(`${option}: expected an address such as https://drover.example, and nothing else in it.`);
}
