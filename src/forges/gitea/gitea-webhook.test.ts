import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { InstanceId } from "#core/model/ids.ts";
import { createGiteaWebhook } from "#forges/gitea/gitea-webhook.ts";
import type { WebhookReading } from "#ports/webhook-source.ts";

const source = createGiteaWebhook({ instance: InstanceId.parse("gitea.example"), secrets: ["s3cret"] });
const repository = { id: 5, owner: { login: "dev" }, name: "engine", full_name: "dev/engine" };
const pullOf = (number: number): object => ({ repository: { id: "5", name: "dev/engine" }, number });

interface Sent {
  readonly event: string;
  readonly content: unknown;
  /** As in the settings of the hook. */
  readonly secret?: string;
}

/** With the headers of Gitea 1.21.8, which signs its body as it was laid out for people. */
function read({ event, content, secret = "s3cret" }: Sent): WebhookReading {
  const body = Buffer.from(JSON.stringify(content, null, 2));
  const hex = secret === "" ? "" : createHmac("sha256", secret).update(body).digest("hex");
  const headers = {
    "x-github-delivery": "07b21ed3-6ec1-437d-8838-93f92dfd20c3",
    "x-github-event": event,
    "x-gitea-delivery": "07b21ed3-6ec1-437d-8838-93f92dfd20c3",
    "x-gitea-event": event,
    "x-gitea-signature": hex,
    "x-hub-signature-256": `sha256=${hex}`,
  };
  return source.read({ headers, body });
}

const pullBody = (action: string): object => ({
  action,
  number: 1,
  pull_request: { id: 1, number: 1, base: { repo: repository } },
  requested_reviewer: null,
  repository,
  review: action === "reviewed" ? { type: "pull_request_review_approved", content: "good" } : null,
});

const commentBody = (isPull: boolean): object => ({
  action: "created",
  issue: { id: 1, number: 1, pull_request: isPull ? { merged: false, merged_at: null } : null },
  comment: { id: 8, body: "/drover review" },
  repository,
  is_pull: isPull,
});

describe("a delivery of Gitea", () => {
  it.each([
    ["pull_request", "opened"],
    ["pull_request", "synchronized"],
    ["pull_request", "label_updated"],
    ["pull_request", "review_requested"],
    ["pull_request_approved", "reviewed"],
    ["pull_request_rejected", "reviewed"],
    ["pull_request_comment", "reviewed"],
  ])("%s, action %s, says its pull", (event, action) => {
    expect(read({ event, content: pullBody(action) })).toEqual({
      kind: "reference",
      pulls: [pullOf(1)],
      delivery: "07b21ed3-6ec1-437d-8838-93f92dfd20c3",
      event: `${event}.${action}`,
    });
  });

  it("about a comment says the pull, and is ignored where it is on an issue", () => {
    expect(read({ event: "issue_comment", content: commentBody(true) })).toMatchObject({
      pulls: [pullOf(1)],
      event: "issue_comment.created",
    });
    expect(read({ event: "issue_comment", content: commentBody(false) })).toEqual({
      kind: "ignored",
      why: "issue_comment",
    });
  });

  it.each([
    ["push", "commit_only"],
    ["status", "commit_only"],
    ["workflow_run", "commit_only"],
    ["create", "unrelated_event"],
    ["fork", "unrelated_event"],
    ["issues", "unrelated_event"],
  ])("%s is ignored: %s", (event, why) => {
    expect(read({ event, content: { repository } })).toEqual({ kind: "ignored", why });
  });

  it("is refused when the hook has no secret", () => {
    expect(read({ event: "pull_request", content: pullBody("opened"), secret: "" })).toEqual({
      kind: "refused",
      why: "unsigned",
    });
  });

  it("is refused when the hook has another secret", () => {
    expect(read({ event: "pull_request", content: pullBody("opened"), secret: "other" })).toEqual({
      kind: "refused",
      why: "bad_signature",
    });
  });

  it.each([{ is_pull: undefined }, { issue: null }, { repository: null }])(
    "is refused with a part missing: %j",
    (part) => {
      const content = { ...commentBody(true), ...part };
      expect(read({ event: "issue_comment", content })).toEqual({ kind: "refused", why: "malformed" });
    },
  );
});
