import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSystemClock } from "#app/system-clock.ts";
import type { Account } from "#core/model/account.ts";
import type { Sandbox, SandboxManner, SandboxPerson } from "#forges/sandbox/sandbox.ts";
import { type GiteaLike, serveGiteaLike } from "#gitea-like/serve-gitea-like.ts";
import { openTestForge } from "#harness/test-forge.ts";
import type { PullRef, RepositoryRef } from "#ports/pull-ref.ts";
import { bundleEntry } from "./bundle-entry.ts";
import { layOutData } from "./lay-out-data.ts";
import { type NodeProcess, startNode } from "./node-process.ts";
import { removeFolder } from "./remove-folder.ts";
import { serveIsReady } from "./serve-command.ts";

/** What a test has opened, in the order in which it was. */
export type Ends = (() => Promise<unknown>)[];

/** A forge with real repositories, on which people work; whoever serves it over HTTP comes after. */
export interface Village {
  readonly folder: string;
  readonly gitRoot: string;
  readonly sandbox: Sandbox;
  readonly repository: RepositoryRef;
  readonly bot: Account;
  readonly ada: SandboxPerson;
  readonly rita: SandboxPerson;
}

export interface GiteaVillage extends Village {
  readonly gitea: GiteaLike;
}

export const hookSecret = "hook-secret";
export const botToken = "t0ken";

export async function openVillage(manner: SandboxManner, ends: Ends): Promise<Village> {
  const folder = await mkdtemp(join(tmpdir(), `drover-serve-${manner}-`));
  ends.push(async () => await removeFolder(folder));
  const gitRoot = join(folder, "forge");
  const { people, accounts, ...forge } = await openTestForge({
    clock: createSystemClock(),
    manner,
    // Else a merge would wait for the forge to find out whether there is a conflict.
    quirks: { mergeabilityDelayMs: 0 },
    gitFolder: gitRoot,
    people: { mia: "owner", ada: "write", rita: "write", drover: "admin" },
  });
  return { ...forge, folder, gitRoot, bot: accounts.drover, ada: people.ada, rita: people.rita };
}

export async function openGitea(ends: Ends): Promise<GiteaVillage> {
  const village = await openVillage("gitea", ends);
  const gitea = await serveGiteaLike(village);
  ends.push(async () => await gitea.close());
  gitea.tokens.set(botToken, village.bot);
  return { ...village, gitea };
}

/** Nothing that the rules object to. */
export async function openQuietPull({ ada, repository }: Village): Promise<PullRef> {
  const changes = { "src/quiet.ts": "export const quiet = 1;\n" };
  await ada.push({ repository, branch: "quiet", changes, message: "Add" });
  return await ada.openPull({ repository, branch: "quiet", base: "main", title: "Quiet", body: "Please." });
}

export function giteaForge({ gitea }: GiteaVillage, more: object): object {
  return { name: "gitea", kind: "gitea", url: gitea.url, token: { env: "GITEA_TOKEN" }, writeGapMs: 0, ...more };
}

const readyMsMax = 120_000;

export interface ForgesServed {
  readonly folder: string;
  readonly port: number;
  readonly forges: readonly object[];
  /** Where its data lie; `data` unless told otherwise. */
  readonly data?: string;
  /** Of the operator's file, beside the forges. */
  readonly config?: object;
  readonly env?: Readonly<Record<string, string>>;
  /** Which Node runs it; that of the tests, unless told otherwise. */
  readonly node?: string | undefined;
}

/** Starts `drover serve` on these forges and waits until it is ready. */
export async function serveForges(served: ForgesServed, ends: Ends): Promise<NodeProcess> {
  const { folder, port, forges, env = {}, node: program } = served;
  const rules = { merge: { when: "when_approved", requireCI: false }, approval: { pollMs: 3_600_000 } };
  const [config, data] = [join(folder, "config.yml"), join(folder, served.data ?? "data")];
  await writeFile(config, JSON.stringify({ forges, rules, ...served.config }));
  await layOutData(data);
  const node = startNode({
    script: await bundleEntry("src/cli/drover.ts"),
    args: ["serve", "--port", String(port), "--data", data, "--config", config],
    env: { HOOK_SECRET: hookSecret, GITEA_TOKEN: botToken, GITHUB_TOKEN: botToken, ...env },
    node: program,
  });
  ends.push(async () => await node.kill());
  await node.waitFor(serveIsReady, readyMsMax);
  return node;
}
