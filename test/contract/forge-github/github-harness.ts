import type { Account } from "#core/model/account.ts";
import { type Instant, instant, minuteMs } from "#core/model/instant.ts";
import { createGithubClient, type GithubSettings, type GithubSpent } from "#forges/github/github-client.ts";
import { createSandbox } from "#forges/sandbox/create-sandbox.ts";
import type { Sandbox, SandboxPerson } from "#forges/sandbox/sandbox.ts";
import { type GithubLike, serveGithubLike } from "#github-like/serve-github-like.ts";
import type { Forge } from "#ports/forge.ts";
import type { PullRef, RepositoryRef } from "#ports/pull-ref.ts";
import { createMemoryHost } from "#testing/memory-git/memory-host.ts";
import { createMemoryHub } from "#testing/memory-git/memory-hub.ts";

/** A GitHub with one repository, somebody who works in it, and an App. */
export interface GithubHarness {
  readonly github: GithubLike;
  readonly sandbox: Sandbox;
  readonly repository: RepositoryRef;
  readonly mia: SandboxPerson;
  readonly bot: Account;
  /** What the App's client has spent. */
  readonly spent: readonly GithubSpent[];
  connect(settings?: Partial<Pick<GithubSettings, "merging">>): Forge;
  openPull(branch: string): Promise<PullRef>;
  pass(ms: number): void;
  close(): Promise<void>;
}

export async function openGithubHarness(): Promise<GithubHarness> {
  let now: Instant = instant(1_767_258_000_400);
  const clock = { now: () => now, sleep: async () => undefined };
  const sandbox = createSandbox({ manner: "github", host: createMemoryHost(createMemoryHub()), clock, quirks: {} });
  const person = sandbox.addAccount({ login: "mia", kind: "person" });
  const bot = sandbox.addAccount({ login: "drover[bot]", kind: "bot" });
  const repository = await sandbox.createRepository({ name: "mia/tools", by: person, files: { "a.txt": "a\n" } });
  sandbox.setPermission({ repository, account: bot, permission: "write" });
  const github = await serveGithubLike({ sandbox, app: { bot }, tokenClock: { now: () => instant(Date.now()) } });
  const mia = sandbox.as(person);
  const spent: GithubSpent[] = [];
  const { id, privateKey, installation } = github.app;
  const access = { kind: "app", appId: String(id), privateKey, installation } as const;
  return {
    github,
    sandbox,
    repository,
    mia,
    bot,
    spent,
    connect: (settings = {}) =>
      createGithubClient({ url: github.url, access, clock, onSpent: (each) => spent.push(each), ...settings }),
    async openPull(branch) {
      await mia.push({ repository, branch, changes: { [`${branch}.txt`]: `${branch}\n` }, message: branch });
      const pull = await mia.openPull({ repository, branch, base: "main", title: branch, body: "" });
      now = instant(now + minuteMs);
      return pull;
    },
    pass: (ms) => {
      now = instant(now + ms);
    },
    async close() {
      await github.close();
      if (github.violations.length > 0) throw new Error(github.violations.join("\n"));
    },
  };
}
