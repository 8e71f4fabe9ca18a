import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { InstanceId } from "#core/model/ids.ts";
import { createGiteaWebhook } from "#forges/gitea/gitea-webhook.ts";
import { createGithubWebhook } from "#forges/github/github-webhook.ts";
import { createWebhookSender } from "#forges/sandbox/remote/webhook-sender.ts";
import type { SandboxManner } from "#forges/sandbox/sandbox.ts";
import { openSmallHarness, type SmallHarness } from "./small-harness.ts";

const secret = "s3cret";
const instance = InstanceId.parse("sandbox");
const readers = {
  github: createGithubWebhook({ instance, secrets: [secret] }),
  gitea: createGiteaWebhook({ instance, secrets: [secret] }),
} as const;
const manners = ["github", "gitea"] as const satisfies readonly SandboxManner[];

interface Received {
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** Takes everything, and answers with one status after the other; the last one stays. */
async function openReceiver(...statuses: readonly number[]) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const status = statuses[Math.min(received.length, statuses.length - 1)] ?? 202;
      received.push({ path: request.url, headers: request.headers, body: Buffer.concat(chunks) });
      response.writeHead(status).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const stop = (): void => void server.close();
  stops.push(stop);
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a server on the loopback has no port");
  return { url: `http://127.0.0.1:${address.port}`, received, stop };
}

/** Everything that a forge tells anybody of. */
async function live(harness: SmallHarness): Promise<void> {
  const { ada, mia, sandbox, accounts, repository } = harness;
  const pull = await harness.openPull();
  const head = await ada.push({ repository, branch: "parser", changes: { "a.txt": "one\n2\n" }, message: "Count" });
  await ada.editPull(pull, { title: "Count" });
  await ada.editPull(pull, { labels: ["small"] });
  await ada.editPull(pull, { isDraft: true });
  await ada.editPull(pull, { isDraft: false });
  const comment = await mia.comment(pull, "@drover review");
  await mia.editComment(pull, comment, "@drover status");
  const remarks = [{ path: "a.txt", side: "new", lines: { first: 1, last: 1 }, body: "Why?" }] as const;
  const review = await mia.review(pull, { event: "request_changes", body: "No.", remarks });
  const [thread] = sandbox.look(pull).threads;
  if (thread === undefined) throw new Error("the remark made no thread");
  await ada.reply(pull, thread.id, "Because.");
  await mia.resolveThread(pull, thread.id);
  await mia.dismissReview(pull, review);
  await mia.review(pull, { event: "approve", body: "" });
  await mia.deleteComment(pull, comment);
  const drover = sandbox.clientOf(accounts.drover);
  await drover.setGate({ pull, head, state: "success", words: "fine" });
  await drover.requestReviews({ pull, reviewers: [accounts.mia] });
  await ada.editPull(pull, { state: "closed" });
  await ada.editPull(pull, { state: "open" });
}

/** Gitea's own word is the fine one, which it sends beside the coarse. */
function wordOf(headers: IncomingHttpHeaders): string {
  return String(headers["x-gitea-event-type"] ?? headers["x-github-event"]);
}

function actions(received: readonly Received[]): string[] {
  return received.map(({ body }) => z.object({ action: z.string() }).parse(JSON.parse(body.toString())).action);
}

describe.each(manners)("webhooks of a sandbox in the manner of %s", (manner) => {
  it("are read by the reader of that forge, each to the pull that it was sent for", async () => {
    const harness = await openSmallHarness(manner);
    const { url, received } = await openReceiver(202);
    const sender = createWebhookSender({ sandbox: harness.sandbox, url, secret });
    await live(harness);
    await sender.settle();
    expect(received.map(({ path }) => path)).toEqual(received.map(() => `/webhooks/${manner}`));
    const read = received.map((request) => readers[manner].read(request));
    const events = read.map((reading) => (reading.kind === "reference" ? reading.event : reading.why));
    expect(events).toEqual(received.map(({ headers }, index) => `${wordOf(headers)}.${actions(received)[index]}`));
    expect(actions(received).sort()).toEqual(harness.sandbox.deliveries.map(({ action }) => action).sort());
    const pulls = read.flatMap((reading) => (reading.kind === "reference" ? reading.pulls : []));
    expect(new Set(pulls.map((pull) => JSON.stringify(pull)))).toEqual(
      new Set(harness.sandbox.deliveries.map(({ pull }) => JSON.stringify(pull))),
    );
    const ids = read.map((reading) => (reading.kind === "reference" ? reading.delivery : null));
    expect(new Set(ids).size).toBe(harness.sandbox.deliveries.length);
  });

  it("are refused by whoever has another secret", async () => {
    const harness = await openSmallHarness(manner);
    const { url, received } = await openReceiver(202);
    const sender = createWebhookSender({ sandbox: harness.sandbox, url, secret: "another" });
    await harness.openPull();
    await sender.settle();
    const kinds = new Set(received.map((request) => readers[manner].read(request).kind));
    expect(kinds).toEqual(new Set(["refused"]));
  });
});

describe("webhooks that are sent", () => {
  it("have their answers recorded, and are sent once whatever the answer", async () => {
    const harness = await openSmallHarness("github");
    const { url, received } = await openReceiver(503, 202);
    const told: unknown[] = [];
    const sender = createWebhookSender({ sandbox: harness.sandbox, url, secret, onSent: (sent) => told.push(sent) });
    const pull = await harness.openPull();
    await sender.settle();
    await harness.ada.comment(pull, "Hello.");
    await sender.settle();
    expect(sender.sent).toMatchObject([
      { delivery: { event: "pull_request" }, outcome: { kind: "answered", status: 503 } },
      { delivery: { event: "issue_comment" }, outcome: { kind: "answered", status: 202 } },
    ]);
    expect(told).toEqual(sender.sent);
    expect(received).toHaveLength(2);
  });

  it("are lost where nobody listens, until somebody redelivers them under the same id", async () => {
    const harness = await openSmallHarness("github");
    const first = await openReceiver(202);
    first.stop();
    const sender = createWebhookSender({ sandbox: harness.sandbox, url: first.url, secret });
    const second = await openReceiver(202);
    const other = createWebhookSender({ sandbox: harness.sandbox, url: second.url, secret });
    await harness.openPull();
    await Promise.all([sender.settle(), other.settle()]);
    expect(sender.sent).toMatchObject([{ outcome: { kind: "refused" } }]);
    harness.sandbox.redeliver(harness.sandbox.deliveries[0]?.id ?? "");
    await Promise.all([sender.settle(), other.settle()]);
    expect(sender.sent).toHaveLength(2);
    const ids = second.received.map(({ headers }) => headers["x-github-delivery"]);
    expect(ids).toEqual([ids[0], ids[0]]);
  });

  it("are no more after a stop", async () => {
    const harness = await openSmallHarness("github");
    const { url, received } = await openReceiver(202);
    const sender = createWebhookSender({ sandbox: harness.sandbox, url, secret });
    await sender.stop();
    await harness.openPull();
    await sender.settle();
    expect(received).toEqual([]);
  });

  it("all arrive when there are more than can be on their way at once", async () => {
    const harness = await openSmallHarness("github");
    const { url, received } = await openReceiver(202);
    const pull = await harness.openPull();
    const sender = createWebhookSender({ sandbox: harness.sandbox, url, secret });
    await Promise.all(Array.from({ length: 60 }, (_, index) => harness.ada.comment(pull, `Number ${index}.`)));
    await sender.settle();
    expect(received).toHaveLength(60);
  });
});
