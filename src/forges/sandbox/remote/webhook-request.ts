import { createHmac } from "node:crypto";
import type { SandboxDelivery, SandboxManner } from "#forges/sandbox/sandbox.ts";

export interface SignedWebhook {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface WebhookToSend {
  readonly delivery: SandboxDelivery;
  readonly guid: string;
  readonly secret: string;
}

/** As the real forge sends it, signed: only fields that say where, with real names in real order. */
export function webhookRequest(manner: SandboxManner, webhook: WebhookToSend): SignedWebhook {
  return manner === "github" ? githubRequest(webhook) : giteaRequest(webhook);
}

function githubRequest({ delivery, guid, secret }: WebhookToSend): SignedWebhook {
  const body = JSON.stringify(bodyOf(delivery, githubSubject(delivery)));
  return {
    headers: {
      "content-type": "application/json",
      "user-agent": "GitHub-Hookshot/sandbox",
      "x-github-delivery": guid,
      "x-github-event": delivery.event,
      "x-hub-signature-256": `sha256=${sign(body, secret)}`,
    },
    body,
  };
}

/** Statuses name a commit, which a delivery of the sandbox does not know. */
function githubSubject({ event, pull: { repository, number } }: SandboxDelivery): object {
  if (event === "issue_comment") return { issue: { number, pull_request: {} } };
  if (event === "check_run")
    return { check_run: { pull_requests: [{ number, base: { repo: { id: Number(repository.id) } } }] } };
  if (event === "status") return { state: "pending", branches: [] };
  if (event === "pull_request") return { number, pull_request: { number } };
  return { pull_request: { number } };
}

/** Gitea sends GitHub's headers as well, and texts that people can read. */
function giteaRequest({ delivery, guid, secret }: WebhookToSend): SignedWebhook {
  const { number } = delivery.pull;
  const subject =
    delivery.event === "issue_comment"
      ? { issue: { number, pull_request: {} }, is_pull: true }
      : { number, pull_request: { number } };
  const body = JSON.stringify(bodyOf(delivery, subject), null, 2);
  const signature = sign(body, secret);
  return {
    headers: {
      "content-type": "application/json",
      "x-gitea-delivery": guid,
      "x-gitea-event": delivery.event,
      "x-gitea-event-type": giteaEventType(delivery),
      "x-gitea-signature": signature,
      "x-github-delivery": guid,
      "x-github-event": delivery.event,
      "x-hub-signature-256": `sha256=${signature}`,
    },
    body,
  };
}

/** Beside the coarse name, as 1.21 was seen to send it. */
export function giteaEventType({ event, action }: SandboxDelivery): string {
  if (event === "pull_request") return pullTypes.get(action) ?? event;
  return eventTypes.get(event) ?? event;
}

const pullTypes: ReadonlyMap<string, string> = new Map([
  ["synchronized", "pull_request_sync"],
  ["label_updated", "pull_request_label"],
  ["review_requested", "pull_request_review_request"],
]);

const eventTypes: ReadonlyMap<string, string> = new Map([
  ["issue_comment", "pull_request_comment"],
  ["pull_request_comment", "pull_request_review_comment"],
  ["pull_request_approved", "pull_request_review_approved"],
  ["pull_request_rejected", "pull_request_review_rejected"],
]);

function bodyOf({ action, pull: { repository } }: SandboxDelivery, subject: object): object {
  const [owner = "", name = ""] = repository.name.split("/");
  return {
    ...(action === "" ? {} : { action }),
    ...subject,
    // The ids of the sandbox are numerals.
    repository: { id: Number(repository.id), name, full_name: repository.name, owner: { login: owner } },
  };
}

function sign(body: string, secret: string): string {
  return createHmac("sha256", secret).update(body).digest("hex");
}
