import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import { RepositoryId } from "#core/model/ids.ts";
import { instant } from "#core/model/instant.ts";
import { webhookRequest } from "#forges/sandbox/remote/webhook-request.ts";
import { createWebhookSender } from "#forges/sandbox/remote/webhook-sender.ts";
import { sendGiteaWebhooks } from "#gitea-like/send-gitea-webhooks.ts";
import { serveGithubLike } from "#github-like/serve-github-like.ts";
import { freePort } from "#harness/free-port.ts";
import {
  botToken,
  type Ends,
  giteaForge,
  openGitea,
  openQuietPull,
  openVillage,
  hookSecret as secret,
  serveForges,
} from "./serve-gitea-world.ts";
import { until } from "./until.ts";

const ends: Ends = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

const webhookSecrets = [{ env: "HOOK_SECRET" }];

test("a webhook of Gitea becomes a review with its status, and an approval becomes the merge of that head", async () => {
  const world = await openGitea(ends);
  const { sandbox, gitea, bot, rita } = world;
  const port = await freePort();
  const sender = sendGiteaWebhooks({ gitea, sandbox, url: `http://127.0.0.1:${port}`, secret });
  ends.push(async () => await sender.stop());
  const node = await serveForges({ ...world, port, forges: [giteaForge(world, { webhookSecrets })] }, ends);
  const pull = await openQuietPull(world);
  const words = (): string => node.output();
  await until(() => sandbox.look(pull).gates.at(-1)?.state === "success", words);
  await until(() => sandbox.look(pull).reviews.some(({ author }) => author.id === bot.id), words);
  await until(() => sandbox.look(pull).comments.some(({ author }) => author.id === bot.id), words);
  const { head } = sandbox.look(pull).pull;
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  expect(metrics).toMatch(/drover_forge_calls_total\{forge="gitea",api="rest",call="fetch pull"\} [1-9]/);
  expect(metrics).toMatch(/drover_webhooks_total\{manner="gitea",outcome="taken"\} [1-9]/);
  expect(metrics).not.toContain("drover_forge_budget_left{");
  await rita.review(pull, { event: "approve", body: "Good." });
  await until(() => sandbox.look(pull).merged !== null, words);
  expect(sandbox.look(pull).merged).toMatchObject({ by: { id: bot.id }, head: head.sha });
  expect(node.output()).toContain('"event":"pull_request_review_approved.reviewed"');
  expect(gitea.violations).toEqual([]);
});

test("without any webhook the polls alone find the pull, and what is said on it later", async () => {
  const world = await openGitea(ends);
  const { sandbox, gitea, bot, rita } = world;
  const pull = await openQuietPull(world);
  const forges = [giteaForge(world, { repositories: ["mia/tools"] })];
  const node = await serveForges({ ...world, port: 0, forges }, ends);
  const words = (): string => node.output();
  await until(() => sandbox.look(pull).reviews.some(({ author }) => author.id === bot.id), words);
  const { head } = sandbox.look(pull).pull;
  await rita.review(pull, { event: "approve", body: "Good." });
  await until(() => sandbox.look(pull).merged !== null, words);
  expect(sandbox.look(pull).merged).toMatchObject({ by: { id: bot.id }, head: head.sha });
  expect(gitea.violations).toEqual([]);
});

test("a GitHub and a Gitea are served side by side, each through its own door, with one and the same secret", async () => {
  const [tea, hub] = [await openGitea(ends), await openVillage("github", ends)];
  const github = await serveGithubLike(hub);
  ends.push(async () => await github.close());
  github.tokens.set(botToken, hub.bot);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const place = { kind: "github", apiUrl: github.url, token: { env: "GITHUB_TOKEN" }, writeGapMs: 0 };
  const forges = [{ name: "github", ...place, webhookSecrets }, giteaForge(tea, { webhookSecrets })];
  const node = await serveForges({ ...tea, port, forges }, ends);
  const senders = [createWebhookSender({ ...hub, url, secret }), sendGiteaWebhooks({ ...tea, url, secret })];
  for (const sender of senders) ends.push(async () => await sender.stop());
  for (const village of [tea, hub]) {
    const pull = await openQuietPull(village);
    const isReviewed = (): boolean =>
      village.sandbox.look(pull).reviews.some(({ author }) => author.id === village.bot.id);
    await until(isReviewed, () => node.output());
  }
  expect([...tea.gitea.violations, ...github.violations]).toEqual([]);
  expect(await sendTo(`${url}/webhooks/github`, "gitea")).toEqual([400, "wrong_forge"]);
  expect(await sendTo(`${url}/webhooks/gitea`, "github")).toEqual([400, "wrong_forge"]);
});

const Refused = z.object({ refused: z.string() });

/** A delivery of a forge at a door that may be another's. */
async function sendTo(address: string, manner: "github" | "gitea"): Promise<readonly [number, string]> {
  const pull = { repository: { id: RepositoryId.parse("5"), name: "mia/tools" }, number: 1 };
  const delivery = { id: "d-1", at: instant(0), event: "pull_request", action: "opened", pull };
  const { headers, body } = webhookRequest(manner, { delivery, guid: "d-1", secret });
  const answer = await fetch(address, { method: "POST", headers, body });
  return [answer.status, Refused.parse(await answer.json()).refused];
}
