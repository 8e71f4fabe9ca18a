import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import type { Account } from "#core/model/account.ts";
import { type Instant, instant } from "#core/model/instant.ts";
import type { GithubAccess } from "#forges/github/github-client.ts";
import { createSandbox } from "#forges/sandbox/create-sandbox.ts";
import type { Sandbox } from "#forges/sandbox/sandbox.ts";
import { type GithubLike, serveGithubLike } from "#github-like/serve-github-like.ts";
import type { PullRef, RepositoryRef } from "#ports/pull-ref.ts";
import { createMemoryHost } from "#testing/memory-git/memory-host.ts";
import { createMemoryHub } from "#testing/memory-git/memory-hub.ts";
import { createVirtualClock, type VirtualClock } from "#testing/virtual-clock.ts";
import { createWire, type Wire } from "./watch-wire.ts";

/** A GitHub-like server with open pulls, on a clock that passes only when it is told to. */
export interface WatchSite {
  readonly sandbox: Sandbox;
  readonly clock: VirtualClock;
  readonly wire: Wire;
  /** With GitHub's own limits. Drover's. */
  readonly github: GithubLike;
  readonly access: GithubAccess;
  /** The same forge behind another door that lets everybody through: the naive way ends at a limit within minutes. */
  readonly endless: GithubLike;
  readonly naiveToken: string;
  readonly refs: readonly PullRef[];
  readonly bot: Account;
  readonly author: Account;
  readonly reviewer: Account;
  close(): Promise<void>;
}

export interface SiteOptions {
  readonly pulls: number;
  readonly perRepository: number;
}

/** Any hour will do, as long as it begins one. */
const start: Instant = instant(Date.UTC(2026, 0, 5, 9));

export async function openWatchSite({ pulls, perRepository }: SiteOptions): Promise<WatchSite> {
  await layOutDescription();
  const wire = createWire();
  const clock = createVirtualClock(start, wire.underWay);
  const sandbox = createSandbox({ host: createMemoryHost(createMemoryHub()), clock, manner: "github" });
  const person = (login: string): Account => sandbox.addAccount({ login, kind: "person" });
  const [owner, author, reviewer] = [person("mia"), person("ada"), person("rita")];
  const bot = sandbox.addAccount({ login: "drover[bot]", kind: "bot" });
  const refs: PullRef[] = [];
  while (refs.length < pulls) {
    const made = { name: `acme/tools-${refs.length}`, by: owner, files: { "README.md": "# Tools\n" } };
    const repository = await sandbox.createRepository(made);
    for (const account of [author, reviewer, bot]) {
      sandbox.setPermission({ repository, account, permission: "write" });
    }
    const count = Math.min(perRepository, pulls - refs.length);
    for (let number = 0; number < count; number += 1)
      refs.push(await openPull(sandbox, { repository, author, number }));
  }
  const github = await serveGithubLike({ sandbox, app: { bot } });
  const endless = await serveGithubLike({ sandbox, perHourMax: { core: Number.MAX_SAFE_INTEGER } });
  const naiveToken = "ghp_naive";
  endless.tokens.set(naiveToken, reviewer);
  const { id, privateKey } = github.app;
  return {
    sandbox,
    clock,
    wire,
    github,
    access: { kind: "app", appId: String(id), privateKey, installation: null },
    endless,
    naiveToken,
    refs,
    bot,
    author,
    reviewer,
    close: async () => {
      await github.close();
      await endless.close();
    },
  };
}

async function openPull(
  sandbox: Sandbox,
  { repository, author, number }: { readonly repository: RepositoryRef; readonly author: Account; number: number },
): Promise<PullRef> {
  const branch = `change-${number}`;
  const title = `Change ${number}`;
  const changes = { [`src/change-${number}.ts`]: `export const change = ${number};\n` };
  const ada = sandbox.as(author);
  await ada.push({ repository, branch, changes, message: title });
  return await ada.openPull({ repository, branch, base: "main", title, body: "Please." });
}

/** The server looks for the description of the API beside itself, and a bench is bundled into one file elsewhere. */
async function layOutDescription(): Promise<void> {
  const name = "openapi.json";
  await copyFile(join(process.cwd(), "test/github-like", name), new URL(`./${name}`, import.meta.url));
}
