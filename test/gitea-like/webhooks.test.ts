import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AnsweredJson } from "#forge-like/answered-json.ts";
import type { WebhookSender } from "#forges/sandbox/remote/webhook-sender.ts";
import { sendGiteaWebhooks } from "#gitea-like/send-gitea-webhooks.ts";
import { openStage, type Stage } from "./stage.ts";

const secret = "a secret";
const remark = { path: "a.txt", side: "new", lines: { first: 2, last: 2 }, body: "Why?" } as const;

interface Taken {
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: AnsweredJson;
}

describe("webhooks of the served forge", () => {
  let stage: Stage;
  let receiver: Server;
  let sender: WebhookSender;
  const taken: Taken[] = [];

  beforeEach(async () => {
    taken.length = 0;
    receiver = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        taken.push({ path: request.url, headers: request.headers, text, body: JSON.parse(text) });
        response.writeHead(202).end();
      });
    });
    receiver.listen(0, "127.0.0.1");
    await once(receiver, "listening");
  });
  afterEach(async () => {
    await sender.stop();
    receiver.closeAllConnections();
    receiver.close();
    await stage.gitea.close();
  });

  async function begin(options: { readonly secret?: string; readonly version?: string } = {}): Promise<void> {
    stage = await openStage(options.version === undefined ? {} : { version: options.version });
    const address = receiver.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    const { sandbox, gitea } = stage;
    const url = `http://127.0.0.1:${address.port}`;
    sender = sendGiteaWebhooks({ sandbox, gitea, url, secret: options.secret ?? secret });
  }

  const names = (): readonly string[] =>
    taken.map(({ headers, body }) => [headers["x-gitea-event"], headers["x-gitea-event-type"], body.action].join(" "));

  it("are signed over their bytes with bare hex, laid out for people, and dressed as GitHub's too", async () => {
    await begin();
    await stage.rita.comment(stage.pull, "Grüße.");
    await sender.settle();
    const [first] = taken;
    const text = first?.text ?? "";
    const sign = (algorithm: string): string => createHmac(algorithm, secret).update(text).digest("hex");
    expect(first?.path).toBe("/webhooks/gitea");
    expect(text.startsWith('{\n  "action": "created",\n')).toBe(true);
    expect(first?.headers).toMatchObject({
      "x-gitea-signature": sign("sha256"),
      "x-gogs-signature": sign("sha256"),
      "x-hub-signature": `sha1=${sign("sha1")}`,
      "x-hub-signature-256": `sha256=${sign("sha256")}`,
      "x-gitea-event": "issue_comment",
      "x-gitea-event-type": "pull_request_comment",
      "x-github-event": "issue_comment",
      "x-github-event-type": "pull_request_comment",
    });
    expect(first?.headers["x-gitea-delivery"]).toBe(first?.headers["x-github-delivery"]);
    expect(Object.keys(first?.headers ?? {})).not.toContain("x-forgejo-event");
  });

  it("have an empty signature where there is no secret", async () => {
    await begin({ secret: "" });
    await stage.rita.comment(stage.pull, "Hello.");
    await sender.settle();
    const headers: IncomingHttpHeaders = taken[0]?.headers ?? {};
    expect([headers["x-gitea-signature"], headers["x-hub-signature-256"]]).toEqual(["", "sha256="]);
  });

  it("of a Forgejo have its own names as well", async () => {
    await begin({ version: "11.0.0+gitea-1.22.0" });
    await stage.rita.comment(stage.pull, "Hello.");
    await sender.settle();
    const headers: IncomingHttpHeaders = taken[0]?.headers ?? {};
    expect(headers["x-forgejo-signature"]).toBe(headers["x-gitea-signature"]);
    expect(headers["x-forgejo-event"]).toBe("issue_comment");
  });

  it("tell every change by a coarse and a fine word; what is missing here is not told", async () => {
    await begin();
    const { ada, rita, pull, repository } = stage;
    const deeds: readonly (readonly [deed: () => Promise<unknown>, told: readonly string[]])[] = [
      [() => ada.editPull(pull, { body: "Only this." }), []],
      [() => ada.editPull(pull, { title: "Better" }), ["pull_request pull_request edited"]],
      [() => ada.editPull(pull, { labels: ["bug"] }), ["pull_request pull_request_label label_updated"]],
      [
        () => ada.push({ repository, branch: "change", changes: { "e.txt": "e\n" }, message: "More" }),
        ["pull_request pull_request_sync synchronized"],
      ],
      [() => rita.react(pull, "heart"), []],
      [() => rita.report({ repository, commit: stage.head, name: "ci", state: "passed" }), []],
      [
        () => rita.review(pull, { event: "approve", body: "Good." }),
        ["pull_request_approved pull_request_review_approved reviewed"],
      ],
      [
        () => rita.review(pull, { event: "request_changes", body: "No.", remarks: [remark] }),
        ["pull_request_rejected pull_request_review_rejected reviewed"],
      ],
      [
        () => rita.review(pull, { event: "comment", body: "Hm." }),
        ["pull_request_comment pull_request_review_comment reviewed"],
      ],
      [() => replyToFirst(), ["issue_comment pull_request_comment created"]],
      [() => editLastReview(), ["issue_comment pull_request_comment edited"]],
      [() => ada.editPull(pull, { state: "closed" }), ["pull_request pull_request closed"]],
      [() => ada.editPull(pull, { state: "open" }), ["pull_request pull_request reopened"]],
    ];
    for (const [deed, told] of deeds) {
      taken.length = 0;
      await deed();
      await sender.settle();
      expect(names()).toEqual(told);
    }
  });

  async function replyToFirst(): Promise<void> {
    const [thread] = stage.sandbox.look(stage.pull).threads;
    if (thread === undefined) throw new Error("no thread");
    await stage.ada.reply(stage.pull, thread.id, "Because.");
  }

  async function editLastReview(): Promise<void> {
    const lines = (await stage.ask("GET", "/repos/mia/tools/issues/1/timeline")).body;
    const { id } = lines.findLast(({ type }: { type: string }) => type === "review");
    await stage.ask("PATCH", `/repos/mia/tools/issues/comments/${id}`, { body: { body: "Edited." } });
  }

  it("of a new pull are two: the second tells of a push that there was none of", async () => {
    await begin();
    const { ada, repository } = stage;
    await ada.push({ repository, branch: "other", changes: { "o.txt": "o\n" }, message: "Other" });
    await ada.openPull({ repository, branch: "other", base: "main", title: "Other", body: "" });
    await sender.settle();
    expect(names()).toEqual(["pull_request pull_request opened", "pull_request pull_request_sync synchronized"]);
    const [opened, pushed] = taken;
    expect(opened?.body.pull_request.head.sha).toBe(pushed?.body.pull_request.head.sha);
  });

  it("say who did what to which pull, and of a review not which one it is", async () => {
    await begin();
    const { rita, ada, pull, repository } = stage;
    const comment = await rita.comment(pull, "Hello.");
    await ada.editPull(pull, { title: "Other" });
    await rita.review(pull, { event: "approve", body: "Good." });
    await stage.ask("POST", "/repos/mia/tools/pulls/1/requested_reviewers", { body: { reviewers: ["mia"] } });
    await sender.settle();
    const [said, edited, reviewed, asked] = taken.map(({ body }) => body);
    expect(said).toMatchObject({
      is_pull: true,
      issue: { number: 1, pull_request: { merged: false } },
      comment: { id: Number(comment), body: "Hello.", user: { login: "rita" } },
    });
    expect(edited).toMatchObject({
      number: 1,
      changes: { title: { from: "A change" } },
      pull_request: { title: "Other" },
    });
    expect(reviewed).toMatchObject({ number: 1, pull_request: { number: 1 }, sender: { login: "rita" } });
    expect(reviewed.review).toEqual({ type: "pull_request_review_approved", content: "Good." });
    expect(asked).toMatchObject({ action: "review_requested", requested_reviewer: { login: "mia" } });
    for (const { body } of taken)
      expect(body.repository).toMatchObject({ id: Number(repository.id), full_name: "mia/tools" });
  });

  it("never come again", async () => {
    await begin();
    await stage.rita.comment(stage.pull, "Hello.");
    await sender.settle();
    const id = sender.sent[0]?.delivery.id ?? "";
    expect(() => stage.sandbox.redeliver(id)).toThrow("Gitea does not redeliver");
  });
});
