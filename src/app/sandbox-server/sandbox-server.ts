import { join } from "node:path";
import { createSystemClock } from "#app/system-clock.ts";
import type { Account } from "#core/model/account.ts";
import { secondMs } from "#core/model/instant.ts";
import { createSandbox } from "#forges/sandbox/create-sandbox.ts";
import { createOrderedFaults } from "#forges/sandbox/remote/ordered-faults.ts";
import { curlLine } from "#forges/sandbox/remote/person-help.ts";
import { type ServedSandbox, serveSandbox } from "#forges/sandbox/remote/serve-sandbox.ts";
import { createWebhookSender, type WebhookSender, type WebhookTarget } from "#forges/sandbox/remote/webhook-sender.ts";
import type { Sandbox, SandboxFaultSource, SandboxManner, SandboxQuirks } from "#forges/sandbox/sandbox.ts";
import { createRealHost } from "#git/real-host.ts";
import type { Clock } from "#ports/clock.ts";
import type { HostChanges } from "#ports/git-host.ts";
import type { RepositoryRef } from "#ports/pull-ref.ts";

export interface SandboxServerOptions {
  /** Has to be empty. It holds the repositories; everything else is in memory. */
  readonly folder: string;
  readonly searchPath: string;
  readonly port: number;
  readonly manner: SandboxManner;
  readonly quirks?: Partial<SandboxQuirks>;
  readonly faults?: SandboxFaultSource;
  readonly clock?: Clock;
  readonly repositories: readonly { readonly name: string; readonly files: HostChanges }[];
  /** Each look for plain pushes costs, with many pulls most of the total. */
  readonly watchMs?: number;
  readonly webhooks: Omit<WebhookTarget, "sandbox"> | null;
}

export interface SandboxServer {
  readonly url: string;
  readonly sandbox: Sandbox;
  readonly people: SandboxPeople;
  readonly tokens: Readonly<Record<SandboxLogin, string>>;
  readonly repositories: readonly HostedRepository[];
  readonly webhooks: WebhookSender | null;
  readonly curl: (call: { readonly by: SandboxLogin; readonly deed: string; readonly asked: object }) => string;
  close(): Promise<void>;
}

export interface HostedRepository extends RepositoryRef {
  readonly folder: string;
}

/** Ada and rita may write, mia owns the repositories, eve only reads; `ci`, `helper-bot` and `drover` are bots. */
const logins = ["mia", "ada", "rita", "eve", "ci", "helper-bot", "drover"] as const;
export type SandboxLogin = (typeof logins)[number];
export type SandboxPeople = Readonly<Record<SandboxLogin, Account>>;

export async function openSandboxServer(options: SandboxServerOptions): Promise<SandboxServer> {
  const { folder, searchPath, manner, quirks = {}, faults = () => null, clock = createSystemClock() } = options;
  const forgeFolder = join(folder, "forge");
  const host = await createRealHost({ folder: forgeFolder, searchPath });
  const ordered = createOrderedFaults(faults);
  const sandbox = createSandbox({ host, clock, manner, quirks, faults: ordered.source });
  const people = settlePeople(sandbox);
  const repositories = await createRepositories(sandbox, people, options.repositories);
  const webhooks = options.webhooks === null ? null : createWebhookSender({ sandbox, ...options.webhooks });
  const tokens = new Map(logins.map((login) => [tokenOf(login), people[login]]));
  const served = await serveSandbox({ sandbox, tokens, port: options.port, faults: ordered });
  const watch = watchBranches({ sandbox, by: people.mia, repositories, watchMs: options.watchMs ?? usualWatchMs });
  return {
    url: served.url,
    sandbox,
    people,
    tokens: eachLogin(tokenOf),
    repositories: repositories.map((each) => ({ ...each, folder: join(forgeFolder, `${each.name}.git`) })),
    webhooks,
    curl: ({ by, ...call }) => curlLine({ ...call, url: served.url, token: tokenOf(by) }),
    close: () => closeAll({ served, watch, webhooks }),
  };
}

/** Not secret: this forge serves only this machine and holds nothing of value. */
function tokenOf(login: SandboxLogin): string {
  return `token-of-${login}`;
}

function settlePeople(sandbox: Sandbox): SandboxPeople {
  return eachLogin((login) => {
    const kind = ["ci", "helper-bot", "drover"].includes(login) ? "bot" : "person";
    return sandbox.addAccount({ login, kind });
  });
}

function eachLogin<Value>(make: (login: SandboxLogin) => Value): Readonly<Record<SandboxLogin, Value>> {
  return {
    mia: make("mia"),
    ada: make("ada"),
    rita: make("rita"),
    ci: make("ci"),
    drover: make("drover"),
    // After the others, so that their ids stay.
    eve: make("eve"),
    "helper-bot": make("helper-bot"),
  };
}

async function createRepositories(
  sandbox: Sandbox,
  people: SandboxPeople,
  wanted: SandboxServerOptions["repositories"],
): Promise<readonly RepositoryRef[]> {
  const made: RepositoryRef[] = [];
  for (const each of wanted) {
    const repository = await sandbox.createRepository({ ...each, by: people.mia });
    sandbox.setPermission({ repository, account: people.eve, permission: "read" });
    for (const login of ["ada", "rita", "ci", "helper-bot"] as const) {
      sandbox.setPermission({ repository, account: people[login], permission: "write" });
    }
    // Gitea tells the permissions of others to admins alone.
    sandbox.setPermission({ repository, account: people.drover, permission: "admin" });
    made.push(repository);
  }
  return made;
}

/** Git reports no push, so the server polls. */
const usualWatchMs = secondMs;

interface Watch {
  stop(): Promise<void>;
}

function watchBranches(watched: {
  readonly sandbox: Sandbox;
  readonly by: Account;
  readonly repositories: readonly RepositoryRef[];
  readonly watchMs: number;
}): Watch {
  const { sandbox, by, repositories, watchMs } = watched;
  const clock = createSystemClock();
  const forge = sandbox.clientOf(by);
  const stopping = new AbortController();
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      await clock.sleep(watchMs, stopping.signal);
      // What fails here fails for the next caller too, who is told.
      for (const repository of repositories) await forge.fetchOpenPulls(repository).catch(() => undefined);
    }
  })();
  return {
    stop: async () => {
      stopping.abort();
      await watching;
    },
  };
}

async function closeAll(parts: {
  readonly served: ServedSandbox;
  readonly watch: Watch;
  readonly webhooks: WebhookSender | null;
}): Promise<void> {
  await parts.watch.stop();
  await parts.served.close();
  await parts.webhooks?.stop();
}
