import { expect, test } from "vitest";
import { InstanceId } from "#core/model/ids.ts";
import { createGiteaWebhook } from "#forges/gitea/gitea-webhook.ts";
import { createGithubWebhook } from "#forges/github/github-webhook.ts";
import type { WebhookReading, WebhookRequest, WebhookSource } from "#ports/webhook-source.ts";
import { findRecording, recordedSecret } from "./recording.ts";

/** In the order in which they came: opened as a draft, talked about, reviewed, pushed, closed, merged; a conflict; a fork. */
const told = [
  "push: commit_only",
  "create: unrelated_event",
  "pull_request.opened: #1",
  "push: commit_only",
  "pull_request_sync.synchronized: #1",
  "pull_request.edited: #1",
  "pull_request_label.label_updated: #1",
  "pull_request_assign.assigned: #1",
  "pull_request_review_request.review_requested: #1",
  "pull_request_comment.created: #1",
  "pull_request_comment.edited: #1",
  "pull_request_review_comment.reviewed: #1",
  "pull_request_review_comment.reviewed: #1",
  "pull_request_comment.edited: #1",
  "pull_request_review_rejected.reviewed: #1",
  "push: commit_only",
  "pull_request_sync.synchronized: #1",
  "push: commit_only",
  "pull_request_sync.synchronized: #1",
  "pull_request_review_approved.reviewed: #1",
  "pull_request.closed: #1",
  "pull_request_review_approved.reviewed: #1",
  "pull_request.reopened: #1",
  "pull_request_comment.deleted: #1",
  "pull_request.opened: #2",
  "create: unrelated_event",
  "push: commit_only",
  "pull_request_sync.synchronized: #2",
  "pull_request.closed: #1",
  "push: commit_only",
  "delete: unrelated_event",
  "fork: unrelated_event",
  "pull_request.opened: #3",
  "pull_request_sync.synchronized: #3",
];

const instance = InstanceId.parse("gitea");
const source = createGiteaWebhook({ instance, secrets: [recordedSecret] });
const stranger = createGiteaWebhook({ instance, secrets: ["another"] });
const github = createGithubWebhook({ instance: InstanceId.parse("github"), secrets: [recordedSecret] });

const recording = await findRecording();
const requests = (recording?.hooks ?? []).map(({ headers, raw }) => ({ headers, body: Buffer.from(raw) }));

function wordsOf(reading: WebhookReading, { headers }: WebhookRequest): string {
  if (reading.kind !== "reference") return `${String(headers["x-gitea-event-type"])}: ${reading.why}`;
  const pulls = reading.pulls.map(({ repository, number }) => {
    expect(repository).toEqual({ id: "3", name: "dev/rec88297" });
    return `#${number}`;
  });
  expect(reading.delivery).toBe(headers["x-gitea-delivery"]);
  return `${reading.event}: ${pulls.join(" ")}`;
}

function readAll(by: WebhookSource, change: (body: Buffer) => Buffer = (body) => body): Set<string> {
  return new Set(
    requests.map(({ headers, body }) => {
      const reading = by.read({ headers, body: change(body) });
      return reading.kind === "refused" ? reading.why : reading.kind;
    }),
  );
}

function withOneByteMore(body: Buffer): Buffer {
  return Buffer.concat([body, Buffer.from(" ")]);
}

if (recording === undefined) absent();
else replay();

/** Told on standard error too. */
function absent(): void {
  test("there is no recording here, so that no webhook of one is replayed", () => {
    expect(requests).toEqual([]);
  });
}

function replay(): void {
  test("each recorded webhook says its pull, or why it is ignored", () => {
    expect(requests.map((request) => wordsOf(source.read(request), request))).toEqual(told);
  });

  test("the bot's own reviews and comments are known by their sender", () => {
    const own = createGiteaWebhook({ instance, secrets: [recordedSecret], isBot: (account) => account === "3" });
    const readings = requests.map((request) => wordsOf(own.read(request), request));
    const different = readings.filter((words, index) => words !== told[index]);
    expect(different).toEqual([
      "pull_request_review_comment: own",
      "pull_request_review_comment: own",
      "pull_request_comment: own",
      "pull_request_review_rejected: own",
      "pull_request_review_approved: own",
      "pull_request_review_approved: own",
    ]);
  });

  test("none is taken with another secret, with other bytes, or at GitHub's door", () => {
    expect(readAll(stranger)).toEqual(new Set(["bad_signature"]));
    expect(readAll(source, withOneByteMore)).toEqual(new Set(["bad_signature"]));
    expect(readAll(github)).toEqual(new Set(["wrong_forge"]));
  });
}
