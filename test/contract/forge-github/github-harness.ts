import type { Account } from "#core/model/account.ts";
import { instant, minuteMs } from "#core/model/instant.ts";
import { createGithubClient, type GithubSettings, type GithubSpent } from "#forges/github/github-client.ts";
import type { Sandbox, SandboxPerson } from "#forges/sandbox/sandbox.ts";
import { type GithubLike, serveGithubLike } from "#github-like/serve-github-like.ts";
import { openTestForge } from "#harness/test-forge.ts";
import type { Forge } from "#ports/forge.ts";
import type { PullRef, RepositoryRef } from "#ports/pull-ref.ts";
import { stillClock } from "#testing/still-clock.ts";

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
  const clock = stillClock();
  const forge = await openTestForge({
    clock,
    files: { "a.txt": "a\n" },
    people: { mia: "owner", bot: { kind: "bot", login: "drover[bot]", may: "write" } },
  });
  const { sandbox, repository } = forge;
  const { bot } = forge.accounts;
  const github = await serveGithubLike({ sandbox, app: { bot }, tokenClock: { now: () => instant(Date.now()) } });
  const spent: GithubSpent[] = [];
  const { id, privateKey, installation } = github.app;
  const access = { kind: "app", appId: String(id), privateKey, installation } as const;
  return {
    github,
    sandbox,
    repository,
    mia: forge.people.mia,
    bot,
    spent,
    connect: (settings = {}) =>
      createGithubClient({ url: github.url, access, clock, onSpent: (each) => spent.push(each), ...settings }),
    async openPull(branch) {
      const pull = await forge.openPull({ branch, files: { [`${branch}.txt`]: `${branch}\n` }, title: branch });
      clock.pass(minuteMs);
      return pull;
    },
    pass: clock.pass,
    async close() {
      await github.close();
      if (github.violations.length > 0) throw new Error(github.violations.join("\n"));
    },
  };
}
