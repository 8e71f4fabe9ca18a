import { createHmac } from "node:crypto";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { createSystemClock } from "#app/system-clock.ts";
import { sendGithubWebhooks } from "#github-like/send-github-webhooks.ts";
import { type GithubLike, serveGithubLike } from "#github-like/serve-github-like.ts";
import { freePort } from "#harness/free-port.ts";
import { openTestForge } from "#harness/test-forge.ts";
import { bundleEntry } from "./bundle-entry.ts";
import { layOutData } from "./lay-out-data.ts";
import { startNode } from "./node-process.ts";
import { removeFolder } from "./remove-folder.ts";
import { serveIsReady } from "./serve-command.ts";
import type { Village } from "./serve-gitea-world.ts";
import { until } from "./until.ts";

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

const secret = "hook-secret";
const readyMsMax = 120_000;

async function openGithub(): Promise<Github> {
  const folder = await mkdtemp(join(tmpdir(), "drover-serve-github-"));
  ends.push(async () => await removeFolder(folder));
  const gitRoot = join(folder, "forge");
  const { people, accounts, sandbox, repository } = await openTestForge({
    clock: createSystemClock(),
    gitFolder: gitRoot,
    people: {
      mia: "owner",
      ada: "write",
      rita: "write",
      bot: { kind: "bot", login: "drover[bot]", may: "write" },
    },
  });
  const { bot } = accounts;
  const github = await serveGithubLike({ sandbox, app: { bot }, gitRoot });
  ends.push(async () => await github.close());
  return { folder, sandbox, github, repository, bot, ada: people.ada, rita: people.rita };
}

type Github = Omit<Village, "gitRoot"> & { readonly github: GithubLike };

/** Starts `drover serve` as the App, and answers with its process. */
async function serve({ folder, github }: Github, port: number, more: object) {
  await writeFile(join(folder, "app.pem"), github.app.privateKey);
  const forge = {
    name: "github",
    kind: "github",
    apiUrl: github.url,
    app: { id: github.app.id, privateKey: { file: join(folder, "app.pem") } },
    webhookSecrets: [{ env: "HOOK_SECRET" }],
    writeGapMs: 0,
    ...more,
  };
  const rules = { merge: { when: "when_approved", requireCI: false }, approval: { pollMs: 3_600_000 } };
  await writeFile(join(folder, "config.yml"), JSON.stringify({ forges: [forge], rules }));
  await layOutData(join(folder, "data"));
  const node = startNode({
    script: await bundleEntry("src/cli/drover.ts"),
    args: ["serve", "--port", String(port), "--data", join(folder, "data"), "--config", join(folder, "config.yml")],
    env: { HOOK_SECRET: secret },
  });
  ends.push(async () => await node.kill());
  await node.waitFor(serveIsReady, readyMsMax);
  return node;
}

test("a webhook of GitHub becomes a review with its check, and an approval becomes the merge of that head", async () => {
  const world = await openGithub();
  const { sandbox, github, repository, bot, ada, rita } = world;
  const port = await freePort();
  const sender = sendGithubWebhooks({ github, sandbox, url: `http://127.0.0.1:${port}`, secret });
  ends.push(async () => await sender.stop());
  const node = await serve(world, port, { repositories: [] });
  await ada.push({
    repository,
    branch: "quiet",
    changes: { "src/quiet.ts": "export const quiet = 1;\n" },
    message: "Add",
  });
  const pull = await ada.openPull({ repository, branch: "quiet", base: "main", title: "Quiet", body: "Please." });
  const words = (): string => node.output();
  await until(() => sandbox.look(pull).gates.at(-1)?.state === "success", words);
  await until(() => sandbox.look(pull).reviews.some(({ author }) => author.id === bot.id), words);
  await until(() => sandbox.look(pull).comments.some(({ author }) => author.id === bot.id), words);
  const { head } = sandbox.look(pull).pull;
  expect(github.requests.some(({ endpoint }) => endpoint === "create_check_run")).toBe(true);
  const readMetrics = async (): Promise<string> => await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const metrics = await readMetrics();
  expect(metrics).toMatch(/drover_forge_points_total\{forge="github",api="graphql",call="[^"]+"\} [1-9]/);
  expect(metrics).toMatch(/drover_forge_budget_left\{forge="github"\} \d+/);
  // GitHub tells of each of Drover's own comments and reviews as well, and nobody has to look at them. It does so when
  // they are to be seen already.
  const ownIgnored = /drover_webhooks_total\{manner="github",outcome="ignored",why="own"\} [1-9]/;
  await until(async () => ownIgnored.test(await readMetrics()), words);
  await rita.review(pull, { event: "approve", body: "Good." });
  await until(() => sandbox.look(pull).merged !== null, words);
  expect(sandbox.look(pull).merged).toMatchObject({ by: { id: bot.id }, head: head.sha });
  expect(github.violations).toEqual([]);
});

test("an App without a list of repositories polls those that it is installed in", async () => {
  const world = await openGithub();
  const { sandbox, repository, bot, ada } = world;
  await ada.push({
    repository,
    branch: "quiet",
    changes: { "src/quiet.ts": "export const quiet = 1;\n" },
    message: "Add",
  });
  const pull = await ada.openPull({ repository, branch: "quiet", base: "main", title: "Quiet", body: "Please." });
  // Nobody sends a webhook.
  const node = await serve(world, 0, {});
  await until(() => sandbox.look(pull).reviews.some(({ author }) => author.id === bot.id), node.output);
  expect(world.github.violations).toEqual([]);
});

test("an App that was let into another repository begins to work there at once", async () => {
  const world = await openGithub();
  const { sandbox, github, bot } = world;
  const port = await freePort();
  const node = await serve(world, port, {});
  await until(() => node.output().includes("the repositories of the installation"), node.output);
  const olga = sandbox.addAccount({ login: "olga", kind: "person" });
  const repository = await sandbox.createRepository({
    name: "olga/lamp",
    by: olga,
    files: { "README.md": "# Lamp\n" },
  });
  sandbox.setPermission({ repository, account: bot, permission: "write" });
  const changes = { "src/lamp.ts": "export const lamp = 1;\n" };
  await sandbox.as(olga).push({ repository, branch: "lit", changes, message: "Add" });
  const pull = await sandbox
    .as(olga)
    .openPull({ repository, branch: "lit", base: "main", title: "Lit", body: "Please." });
  const body = JSON.stringify({ action: "added", repositories_added: [{ full_name: "olga/lamp" }] });
  const answer = await fetch(`http://127.0.0.1:${port}/webhooks/github`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-github-event": "installation_repositories",
      "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
    },
    body,
  });
  expect(answer.status).toBe(200);
  await until(() => sandbox.look(pull).reviews.some(({ author }) => author.id === bot.id), node.output);
  expect(github.violations).toEqual([]);
});
