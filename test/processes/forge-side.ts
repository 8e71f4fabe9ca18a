import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSandboxServer, type SandboxServer } from "#app/sandbox-server/sandbox-server.ts";
import type { WebhookSender } from "#forges/sandbox/remote/webhook-sender.ts";
import type { SandboxManner } from "#forges/sandbox/sandbox.ts";
import { freePort } from "#harness/free-port.ts";
import { createMoments, type Moments } from "./moments.ts";
import { removeFolder } from "./remove-folder.ts";
import { sendInTurn } from "./send-in-turn.ts";
import { type ServeConfig, writeServeConfig } from "./serve-config.ts";

/** A forge in this process that goes on while the servers that it tells of its pulls come and go. */
export interface ForgeSide {
  readonly forge: SandboxServer;
  readonly sender: WebhookSender;
  readonly moments: Moments;
  /** Where the server under test has to listen: `http://127.0.0.1:port`. */
  readonly port: number;
  /** For several servers: webhooks go to one after the other. The first of them is `port`. */
  readonly ports: readonly number[];
  /** An operator file that names this forge; its secrets are in `env`. */
  readonly configFile: string;
  readonly env: Readonly<Record<"DROVER_SANDBOX_TOKEN" | "DROVER_WEBHOOK_SECRET", string>>;
  /** For the data of the server under test. */
  readonly dataFolder: string;
  /** Empty, for whatever else a test needs. */
  readonly folder: string;
  /** Writes another operator file in the place of the first. */
  configure(change: Partial<ServeConfig>): Promise<void>;
  removeConfig(): Promise<void>;
  close(options?: { readonly keepFolder: boolean }): Promise<void>;
}

export interface ForgeSideOptions {
  readonly manner?: SandboxManner;
  /** How many servers are told. */
  readonly servers?: number;
  /** Told of each write of the bot when it has reached the forge, before it is answered. */
  readonly onWrite?: (endpoint: string) => void;
}

const secret = "a secret of the tests";

export async function openForgeSide(options: ForgeSideOptions = {}): Promise<ForgeSide> {
  const { manner = "github", servers = 1, onWrite } = options;
  const folder = await mkdtemp(join(tmpdir(), "drover-processes-"));
  const ports: number[] = [];
  for (let count = 0; count < servers; count++) ports.push(await freePort());
  const moments = createMoments();
  const forge = await openSandboxServer({
    folder,
    searchPath: process.env["PATH"] ?? "",
    port: 0,
    manner,
    faults: ({ isWrite, account, endpoint }) => {
      if (!isWrite || account.login !== "drover") return null;
      moments.onWrite();
      onWrite?.(endpoint);
      return null;
    },
    repositories: [{ name: "acme/tools", files: { "README.md": "# Tools\n" } }],
    // Nobody here pushes behind the forge's back.
    watchMs: 3_600_000,
    webhooks: null,
  });
  const sender = sendInTurn({
    sandbox: forge.sandbox,
    urls: ports.map((port) => `http://127.0.0.1:${port}`),
    secret,
    onSent: ({ outcome }) => {
      if (outcome.kind === "answered" && outcome.status === 202) moments.onAccepted();
    },
  });
  const configFile = join(folder, "drover.config.yml");
  const config: ServeConfig = { forges: [{ name: "sandbox", url: forge.url, manner }] };
  await writeServeConfig(configFile, config);
  return {
    forge,
    sender,
    moments,
    port: ports[0] ?? 0,
    ports,
    configFile,
    env: { DROVER_SANDBOX_TOKEN: forge.tokens.drover, DROVER_WEBHOOK_SECRET: secret },
    dataFolder: join(folder, "data"),
    folder,
    configure: (change) => writeServeConfig(configFile, { ...config, ...change }),
    removeConfig: () => rm(configFile),
    close: async ({ keepFolder } = { keepFolder: false }) => {
      await forge.close();
      await sender.stop();
      if (!keepFolder) await removeFolder(folder);
    },
  };
}
