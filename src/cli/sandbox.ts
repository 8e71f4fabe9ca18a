import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { prepareDemoFolder } from "#app/demo/demo-folder.ts";
import { openSandboxServer, type SandboxServer } from "#app/sandbox-server/sandbox-server.ts";
import { readPort } from "#cli/read-port.ts";
import { type Terminal, UsageError } from "#cli/terminal.ts";
import { hasCode } from "#core/error-code.ts";

export interface SandboxCall {
  readonly port: string;
  readonly folder?: string | undefined;
  readonly manner: SandboxServer["sandbox"]["manner"];
  readonly webhooks?: string | undefined;
  readonly secret?: string | undefined;
  readonly json?: boolean | undefined;
}

export async function sandbox(
  call: SandboxCall,
  terminal: Terminal,
  untilStopped: () => Promise<void>,
): Promise<number> {
  const options = { port: readPort(call.port), manner: call.manner, webhooks: readWebhooks(call) };
  const folder = await prepareFolder(call.folder);
  const server = await openSandboxServer({
    ...options,
    folder,
    searchPath: terminal.searchPath,
    repositories: [firstRepository],
  }).catch(sayWhyNot);
  const configFile = join(folder, "drover.config.yml");
  await writeFile(configFile, sandboxConfig(server));
  const ready = { server, configFile, secret: options.webhooks?.secret ?? null };
  terminal.out(call.json === true ? `${JSON.stringify(readyFacts(ready))}\n` : readyPage(ready));
  await untilStopped();
  await server.close();
  return 0;
}

function readWebhooks({
  webhooks: url,
  secret,
}: SandboxCall): { readonly url: string; readonly secret: string } | null {
  if (url === undefined && secret === undefined) return null;
  if (url === undefined || secret === undefined || secret === "") {
    throw new UsageError(
      "--webhooks URL and --secret S belong together: no server takes webhooks that are not signed.",
    );
  }
  if (URL.canParse(url) && new URL(url).protocol === "http:") return { url, secret };
  throw new UsageError(`--webhooks ${url}: expected the address of a server, such as http://127.0.0.1:4170.`);
}

async function prepareFolder(asked: string | undefined): Promise<string> {
  const prepared = await prepareDemoFolder(asked);
  if (prepared.kind === "ready") return prepared.folder;
  throw new UsageError(`${prepared.folder} ${prepared.why}: choose an empty folder, or one that does not exist yet.`);
}

function sayWhyNot(error: unknown): never {
  if (hasCode(error, "EADDRINUSE")) {
    const message = "the port is taken: choose another one with --port, or any that is free with --port 0.";
    throw new UsageError(message, { cause: error });
  }
  if (error instanceof Error && error.name === "GitError") throw new UsageError(error.message, { cause: error });
  throw error;
}

const firstRepository = {
  name: "acme/tools",
  files: {
    "README.md": "# Tools\n\nSmall tools.\n",
    "src/greet.ts": "export function greet(name: string): string {\n  return `Hello, ${name}!`;\n}\n",
  },
} as const;

interface Ready {
  readonly server: SandboxServer;
  readonly configFile: string;
  readonly secret: string | null;
}

function readyFacts({ server, configFile }: Ready): object {
  const { url, tokens, repositories } = server;
  const { manner } = server.sandbox;
  return { kind: "ready", url, manner, configFile, tokens, repositories };
}

function readyPage({ server, configFile, secret }: Ready): string {
  const { url, tokens, repositories } = server;
  const { manner } = server.sandbox;
  const clones = repositories.map(({ name, folder }) => `  ${name}: git clone ${folder}`);
  const variables = `${sandboxVariables.token}=${tokens.drover} ${sandboxVariables.secret}=${secret ?? "choose-one"}`;
  const repository = firstRepository.name;
  const push = { repository, branch: "loud", message: "Be loud", files: { "src/loud.ts": loudCode } };
  const pull = { repository, branch: "loud", title: "Be loud" };
  const first = { repository, pull: 1 };
  return [
    `A forge that behaves like ${manner} is at ${url}, for this machine only. Only its git repositories are kept:`,
    ...clones,
    "",
    "Drover on it:",
    `  ${variables} drover serve --config ${configFile}`,
    ...(secret === null
      ? ["  (webhooks are not sent: start the sandbox with --webhooks URL --secret S for that)"]
      : []),
    "",
    "Ada opens a pull; rita approves it:",
    `  ${server.curl({ by: "ada", deed: "push", asked: push })}`,
    `  ${server.curl({ by: "ada", deed: "openPull", asked: pull })}`,
    `  ${server.curl({ by: "rita", deed: "review", asked: { ...first, event: "approve" } })}`,
    "",
    "What it shows, and what else people can do (edit, delete, reply, resolve, dismiss, force-push, order faults):",
    `  ${server.curl({ by: "ada", deed: "look", asked: first })}`,
    `  ${server.curl({ by: "ada", deed: "help", asked: {} })}`,
    "",
    "Tokens are token-of-ada, -rita (they write), -mia (owns), -eve (an outsider), -ci and -helper-bot (bots).",
    "Ctrl-C ends it.",
    "",
  ].join("\n");
}

const loudCode = "export function shout(name: string): string {\n  debugger;\n  return name.toUpperCase();\n}\n";

const sandboxVariables = { token: "DROVER_SANDBOX_TOKEN", secret: "DROVER_WEBHOOK_SECRET" } as const;

/** JSON is YAML, so nothing needs other quotes. */
function sandboxConfig({ url, sandbox: forge, repositories }: SandboxServer): string {
  const names = repositories.map(({ name }) => JSON.stringify(name)).join(", ");
  return `forges:
  - name: sandbox
    kind: sandbox
    url: ${JSON.stringify(url)}
    manner: ${forge.manner}
    token: { env: ${sandboxVariables.token} }
    webhookSecrets: [{ env: ${sandboxVariables.secret} }]
    repositories: [${names}]
`;
}
