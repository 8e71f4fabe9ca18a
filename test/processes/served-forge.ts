import type { SandboxManner } from "#forges/sandbox/sandbox.ts";
import { sendGiteaWebhooks } from "#gitea-like/send-gitea-webhooks.ts";
import { sendGithubWebhooks } from "#github-like/send-github-webhooks.ts";
import { serveGithubLike } from "#github-like/serve-github-like.ts";
import { freePort } from "#harness/free-port.ts";
import type { NodeProcess } from "./node-process.ts";
import {
  botToken,
  type Ends,
  giteaForge,
  hookSecret,
  openGitea,
  openVillage,
  serveForges,
  type Village,
} from "./serve-gitea-world.ts";

/** A forge that sends its webhooks to one `drover serve`. */
export interface ServedForge extends Village {
  /** What the servers said so far. */
  readonly words: () => string;
  /** Where something was not as the forge describes it. */
  readonly violations: readonly string[];
  /** Ends the server at once, and starts one that has nothing of what the first had, but its secret. */
  startAnew(): Promise<void>;
}

export interface ServedForgeOptions {
  /** Of the operator's file, beside the forge. */
  readonly config: object;
  readonly env: Readonly<Record<string, string>>;
  /** Which Node runs the server; that of the tests, unless told otherwise. */
  readonly node: string | undefined;
}

const secret = "5e0f".repeat(16);

export async function openServedForge(
  manner: SandboxManner,
  options: ServedForgeOptions,
  ends: Ends,
): Promise<ServedForge> {
  const port = await freePort();
  const place = await (manner === "github" ? openGithubPlace : openGiteaPlace)(port, ends);
  const { village, forge, violations } = place;
  const servers: NodeProcess[] = [];
  const start = async (): Promise<void> => {
    const data = `data-${servers.length}`;
    const env = { DROVER_SECRET: secret, ...options.env };
    const served = { folder: village.folder, port, forges: [forge], data, config: options.config, env };
    servers.push(await serveForges({ ...served, node: options.node }, ends));
  };
  await start();
  return {
    ...village,
    words: () => servers.map((server) => server.output()).join("\n---\n"),
    violations,
    startAnew: async () => {
      await servers.at(-1)?.kill();
      await start();
    },
  };
}

interface Place {
  readonly village: Village;
  readonly forge: object;
  readonly violations: readonly string[];
}

const webhookSecrets = [{ env: "HOOK_SECRET" }];

async function openGithubPlace(port: number, ends: Ends): Promise<Place> {
  const village = await openVillage("github", ends);
  const github = await serveGithubLike({ ...village, app: { bot: village.bot } });
  ends.push(async () => await github.close());
  github.tokens.set(botToken, village.bot);
  const sender = sendGithubWebhooks({ ...village, github, url: `http://127.0.0.1:${port}`, secret: hookSecret });
  ends.push(async () => await sender.stop());
  const access = { kind: "github", apiUrl: github.url, token: { env: "GITHUB_TOKEN" }, writeGapMs: 0 };
  return { village, forge: { name: "github", ...access, webhookSecrets }, violations: github.violations };
}

async function openGiteaPlace(port: number, ends: Ends): Promise<Place> {
  const village = await openGitea(ends);
  const sender = sendGiteaWebhooks({ ...village, url: `http://127.0.0.1:${port}`, secret: hookSecret });
  ends.push(async () => await sender.stop());
  return { village, forge: giteaForge(village, { webhookSecrets }), violations: village.gitea.violations };
}
