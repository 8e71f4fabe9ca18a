import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AnsweredJson } from "#forge-like/answered-json.ts";
import { sendGithubWebhooks } from "#github-like/send-github-webhooks.ts";
import { openStage, type Stage } from "./stage.ts";

const secret = "a secret";

interface Taken {
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: AnsweredJson;
}

describe("webhooks of the served forge", () => {
  let stage: Stage;
  let receiver: Server;
  const taken: Taken[] = [];
  let sender: ReturnType<typeof sendGithubWebhooks>;

  beforeEach(async () => {
    taken.length = 0;
    stage = await openStage();
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
    const address = receiver.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    const { sandbox, github } = stage;
    sender = sendGithubWebhooks({ sandbox, github, url: `http://127.0.0.1:${address.port}`, secret });
  });
  afterEach(async () => {
    await sender.stop();
    receiver.closeAllConnections();
    receiver.close();
    await stage.github.close();
  });

  it("are signed over their bytes, and named", async () => {
    await stage.rita.comment(stage.pull, "Grüße.");
    await sender.settle();
    const [first] = taken;
    const signature = createHmac("sha256", secret)
      .update(first?.text ?? "")
      .digest("hex");
    expect(first?.path).toBe("/webhooks/github");
    expect(first?.headers).toMatchObject({
      "x-hub-signature-256": `sha256=${signature}`,
      "x-github-event": "issue_comment",
    });
    expect(first?.headers["x-github-delivery"]).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("say who did what to which pull", async () => {
    const { rita, ada, pull, repository, head } = stage;
    const comment = await rita.comment(pull, "Hello.");
    await rita.review(pull, {
      event: "approve",
      body: "Good.",
      remarks: [{ path: "a.txt", side: "new", lines: { first: 2, last: 2 }, body: "Why?" }],
    });
    await ada.editPull(pull, { title: "Other" });
    await rita.report({ repository, commit: head, name: "build", state: "passed" });
    await stage.sandbox.as(stage.accounts.drover).report({ repository, commit: head, name: "drover", state: "passed" });
    await sender.settle();
    const bodies = new Map(taken.map(({ headers, body }) => [String(headers["x-github-event"]), body]));
    const number = 1;
    expect(bodies.get("issue_comment")).toMatchObject({
      action: "created",
      issue: { number, pull_request: {} },
      comment: {
        body: "Hello.",
        user: { login: "rita" },
        id: stage.github.commentNumber("issue", comment),
      },
      sender: { login: "rita" },
    });
    expect(bodies.get("pull_request_review")).toMatchObject({
      action: "submitted",
      review: { body: "Good.", state: "approved", commit_id: head },
      pull_request: { number },
    });
    expect(bodies.get("pull_request_review_comment")).toMatchObject({
      action: "created",
      comment: { body: "Why?" },
      pull_request: { number },
    });
    expect(bodies.get("pull_request")).toMatchObject({
      action: "edited",
      number,
      pull_request: { title: "Other", head: { sha: head } },
    });
    expect(bodies.get("status")).toMatchObject({ sha: head, context: "build", branches: [{ name: "change" }] });
    expect(bodies.get("check_run")).toMatchObject({ check_run: { head_sha: head, pull_requests: [{ number }] } });
    for (const { body } of taken) {
      expect(body.repository).toMatchObject({ id: Number(repository.id), full_name: "mia/tools" });
      expect(body.installation.id).toBe(stage.github.app.installation);
    }
  });

  it("come again as they were, under their old id", async () => {
    await stage.rita.comment(stage.pull, "Hello.");
    await sender.settle();
    await stage.ada.editPull(stage.pull, { title: "Other" });
    const [delivery] = sender.sent;
    stage.sandbox.redeliver(delivery?.delivery.id ?? "");
    await sender.settle();
    const comments = taken.filter(({ headers }) => headers["x-github-event"] === "issue_comment");
    expect(comments).toHaveLength(2);
    expect(comments[0]?.text).toBe(comments[1]?.text);
    expect(comments[0]?.headers["x-github-delivery"]).toBe(comments[1]?.headers["x-github-delivery"]);
  });
});
