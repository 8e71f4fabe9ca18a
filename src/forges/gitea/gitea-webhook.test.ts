import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { InstanceId } from "#core/model/ids.ts";
import { createGiteaWebhook } from "#forges/gitea/gitea-webhook.ts";
import type { WebhookReading } from "#ports/webhook-source.ts";

const instance = InstanceId.parse("gitea.example");
const isBot = (account: string): boolean => account === "9";
const source = createGiteaWebhook({ instance, secrets: ["next", "s3cret"], isBot });
const repository = { id: 5, owner: { login: "dev" }, name: "engine", full_name: "dev/engine" };
const pullOf = (number: number): object => ({ repository: { id: "5", name: "dev/engine" }, number });
const guid = "07b21ed3-6ec1-437d-8838-93f92dfd20c3";

interface Sent {
  /** The coarse word. */
  readonly event: string;
  readonly fine?: string;
  readonly content: unknown;
  /** As in the settings of the hook. */
  readonly secret?: string;
  /** In whose name; Forgejo sends Gitea's as well. */
  readonly families?: readonly string[];
}

/** With the headers of Gitea 1.21.8, which signs its body as it was laid out for people. */
function read({ event, fine, content, secret = "s3cret", families = ["gitea", "gogs"] }: Sent): WebhookReading {
  const body = Buffer.from(JSON.stringify(content, null, 2));
  const hex = secret === "" ? "" : createHmac("sha256", secret).update(body).digest("hex");
  const headers: Record<string, string> = {
    "x-github-delivery": guid,
    "x-github-event": event,
    "x-hub-signature-256": `sha256=${hex}`,
  };
  for (const family of families) {
    headers[`x-${family}-delivery`] = guid;
    headers[`x-${family}-event`] = event;
    headers[`x-${family}-signature`] = hex;
    if (fine !== undefined) headers[`x-${family}-event-type`] = fine;
  }
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
    ["pull_request", "pull_request", "opened"],
    ["pull_request", "pull_request", "edited"],
    ["pull_request", "pull_request_sync", "synchronized"],
    ["pull_request", "pull_request_assign", "assigned"],
    ["pull_request", "pull_request_label", "label_updated"],
    ["pull_request", "pull_request_milestone", "milestoned"],
    ["pull_request", "pull_request_review_request", "review_requested"],
    ["pull_request_approved", "pull_request_review_approved", "reviewed"],
    ["pull_request_rejected", "pull_request_review_rejected", "reviewed"],
    ["pull_request_comment", "pull_request_review_comment", "reviewed"],
    ["pull_request", "pull_request_of_the_future", "dreamt"],
  ])("%s, finely %s, says its pull", (event, fine, action) => {
    expect(read({ event, fine, content: pullBody(action) })).toEqual({
      kind: "reference",
      pulls: [pullOf(1)],
      delivery: guid,
      event: `${fine}.${action}`,
    });
  });

  it.each([
    ["pull_request", "pull_request.reviewed"],
    ["pull_request_approved", "pull_request_review_approved.reviewed"],
    ["pull_request_rejected", "pull_request_review_rejected.reviewed"],
    ["pull_request_comment", "pull_request_review_comment.reviewed"],
  ])("without a fine word is known by the coarse one: %s", (event, known) => {
    expect(read({ event, content: pullBody("reviewed") })).toMatchObject({ pulls: [pullOf(1)], event: known });
  });

  it("about a comment says the pull, and is ignored where it is on an issue", () => {
    expect(read({ event: "issue_comment", fine: "pull_request_comment", content: commentBody(true) })).toMatchObject({
      pulls: [pullOf(1)],
      event: "pull_request_comment.created",
    });
    expect(read({ event: "issue_comment", content: commentBody(true) })).toMatchObject({
      pulls: [pullOf(1)],
      event: "issue_comment.created",
    });
    expect(read({ event: "issue_comment", fine: "issue_comment", content: commentBody(false) })).toEqual({
      kind: "ignored",
      why: "issue_comment",
    });
  });

  it.each([
    ["push", "push", "commit_only"],
    ["status", "status", "commit_only"],
    ["", "status", "commit_only"],
    ["workflow_run", "workflow_run", "commit_only"],
    ["action_run_failure", "action_run_failure", "commit_only"],
    ["workflow_job_success", "workflow_job_success", "commit_only"],
    ["pushed", "pushed", "unrelated_event"],
    ["create", "create", "unrelated_event"],
    ["fork", "fork", "unrelated_event"],
    ["issues", "issue_label", "unrelated_event"],
    ["", "package", "unrelated_event"],
  ])("%j, finely %s, is ignored: %s", (event, fine, why) => {
    expect(read({ event, fine, content: { repository } })).toEqual({ kind: "ignored", why });
  });

  it("that names no event at all is refused", () => {
    expect(read({ event: "", content: pullBody("opened") })).toEqual({ kind: "refused", why: "no_event" });
  });

  it.each([{ is_pull: undefined }, { issue: null }, { repository: null }])(
    "is refused with a part missing: %j",
    (part) => {
      const content = { ...commentBody(true), ...part };
      expect(read({ event: "issue_comment", content })).toEqual({ kind: "refused", why: "malformed" });
    },
  );
});

const by = (body: object, id: number): object => ({ ...body, sender: { id, login: "somebody" } });

describe("what Drover has done itself", () => {
  it.each(["pull_request_review_approved", "pull_request_review_rejected", "pull_request_review_comment"])(
    "is ignored: %s",
    (fine) => {
      const event = "pull_request_approved";
      expect(read({ event, fine, content: by(pullBody("reviewed"), 9) })).toEqual({ kind: "ignored", why: "own" });
      expect(read({ event, fine, content: by(pullBody("reviewed"), 8) })).toMatchObject({ kind: "reference" });
    },
  );

  it("is ignored in comments too, but not where the head or the pull itself has changed", () => {
    const comment = { event: "issue_comment", fine: "pull_request_comment" };
    expect(read({ ...comment, content: by(commentBody(true), 9) })).toEqual({ kind: "ignored", why: "own" });
    expect(read({ ...comment, content: by(commentBody(true), -2) })).toMatchObject({ kind: "reference" });
    const push = { event: "pull_request", fine: "pull_request_sync", content: by(pullBody("synchronized"), 9) };
    expect(read(push)).toMatchObject({ kind: "reference" });
  });
});

describe("a delivery of Forgejo", () => {
  it.each([[["forgejo", "gitea", "gogs"]], [["forgejo"]]])("is one of Gitea, by its headers %j", (families) => {
    const sent = { event: "pull_request", fine: "pull_request_sync", content: pullBody("synchronized"), families };
    expect(read(sent)).toMatchObject({ pulls: [pullOf(1)], delivery: guid, event: "pull_request_sync.synchronized" });
  });
});

describe("a signature", () => {
  const opened = { event: "pull_request", fine: "pull_request", content: pullBody("opened") };

  it("is missing when the hook has no secret", () => {
    expect(read({ ...opened, secret: "" })).toEqual({ kind: "refused", why: "unsigned" });
  });

  it("of another secret is refused", () => {
    expect(read({ ...opened, secret: "other" })).toEqual({ kind: "refused", why: "bad_signature" });
  });

  it("of GitHub's kind does not stand for an empty one of Gitea's", () => {
    const body = Buffer.from(JSON.stringify(opened.content));
    const hex = createHmac("sha256", "s3cret").update(body).digest("hex");
    const headers = {
      "x-gitea-event": "pull_request",
      "x-gitea-signature": "",
      "x-hub-signature-256": `sha256=${hex}`,
    };
    expect(source.read({ headers, body })).toEqual({ kind: "refused", why: "unsigned" });
  });

  it("cannot be checked without a secret of ours, so that nothing is taken", () => {
    expect(() => createGiteaWebhook({ instance, secrets: [] })).toThrow("need a secret");
    expect(() => createGiteaWebhook({ instance, secrets: [""] })).toThrow("empty");
  });
});

describe("a delivery of GitHub", () => {
  const sent: Sent = { event: "pull_request", content: pullBody("opened"), families: [] };

  it("is told that it came to the wrong door, if it knows the secret", () => {
    expect(read(sent)).toEqual({ kind: "refused", why: "wrong_forge" });
  });

  it("with another secret, or none, is told nothing", () => {
    expect(read({ ...sent, secret: "other" })).toEqual({ kind: "refused", why: "bad_signature" });
    expect(read({ ...sent, secret: "" })).toEqual({ kind: "refused", why: "unsigned" });
  });
});
