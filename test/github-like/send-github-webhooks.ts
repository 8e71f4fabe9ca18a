import { createHmac } from "node:crypto";
import type { Account } from "#core/model/account.ts";
import type { Comment, Review } from "#core/model/conversation.ts";
import { time } from "#forge-like/time.ts";
import type { SignedWebhook, WebhookToSend } from "#forges/sandbox/remote/webhook-request.ts";
import { createWebhookSender, type WebhookSender, type WebhookTarget } from "#forges/sandbox/remote/webhook-sender.ts";
import type { Sandbox, SandboxChange, SandboxDelivery, SandboxPull } from "#forges/sandbox/sandbox.ts";
import { nodeId } from "#github-like/node-id.ts";
import type { CommentSpace } from "#github-like/numbers.ts";
import { userBody } from "#github-like/rest/user-body.ts";
import type { GithubLike } from "#github-like/serve-github-like.ts";

export interface GithubWebhookTarget extends Omit<WebhookTarget, "requestOf"> {
  readonly github: GithubLike;
}

/** Sends what happens to a server as GitHub's App does: signed, and with bodies as they look there. */
export function sendGithubWebhooks({ github, ...target }: GithubWebhookTarget): WebhookSender {
  return createWebhookSender({
    ...target,
    requestOf: (webhook) => githubWebhookRequest({ github, ...target }, webhook),
  });
}

/** Made while the change that the delivery tells of is still the last one. */
export function githubWebhookRequest(
  { sandbox, github }: Pick<GithubWebhookTarget, "sandbox" | "github">,
  { delivery, guid, secret }: WebhookToSend,
): SignedWebhook {
  const body = JSON.stringify(webhookBody(sandbox, github, delivery));
  return {
    headers: {
      accept: "*/*",
      "content-type": "application/json",
      "user-agent": "GitHub-Hookshot/044aadd",
      "x-github-delivery": guid,
      "x-github-event": delivery.event,
      "x-github-hook-installation-target-type": "integration",
      "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
    },
    body,
  };
}

function webhookBody(sandbox: Sandbox, github: GithubLike, delivery: SandboxDelivery): object {
  const { action, pull: ref } = delivery;
  const seen = sandbox.look(ref);
  const last = sandbox.history.findLast(({ repository }) => repository.id === ref.repository.id);
  const sender = last?.by ?? seen.pull.author;
  const [owner = "", name = ""] = ref.repository.name.split("/");
  const subject = subjectOf({ github, seen, last }, delivery);
  return {
    ...(action !== "" && { action }),
    ...subject,
    repository: {
      id: Number(ref.repository.id),
      node_id: nodeId("R", ref.repository.id),
      name,
      full_name: ref.repository.name,
      private: true,
      owner: { login: owner, type: "User" },
      html_url: `${github.url}/${ref.repository.name}`,
      url: `${github.url}/repos/${ref.repository.name}`,
      default_branch: "main",
    },
    sender: userBody(github, sender),
    installation: { id: installationOf(github), node_id: nodeId("A", "installation") },
  };
}

interface Happened {
  readonly github: GithubLike;
  readonly seen: SandboxPull;
  readonly last: SandboxChange | undefined;
}

function installationOf(github: GithubLike): number {
  return github.app.installation;
}

function subjectOf(happened: Happened, { event }: SandboxDelivery): object {
  const { seen } = happened;
  const { number } = seen.ref;
  switch (event) {
    case "issue_comment":
      return { issue: issueBody(happened), comment: commentOf(happened, "issue") };
    case "pull_request_review":
      return { review: reviewOf(happened), pull_request: pullOf(happened) };
    case "pull_request_review_comment":
      return { comment: commentOf(happened, "review"), pull_request: pullOf(happened) };
    case "pull_request_review_thread":
      return { pull_request: pullOf(happened), thread: { node_id: nodeId("PRRT", number), comments: [] } };
    case "check_run":
      return { check_run: checkRunOf(happened) };
    case "status":
      return statusOf(happened);
    default:
      return { number, pull_request: pullOf(happened) };
  }
}

function pullOf({ github, seen }: Happened): object {
  const { pull, ref, merged } = seen;
  const repo = repoOf(seen);
  return {
    url: `${github.url}/repos/${ref.repository.name}/pulls/${ref.number}`,
    id: Number(ref.repository.id) * 10_000 + ref.number,
    node_id: nodeId("PR", ref.repository.id, ref.number),
    html_url: `${github.url}/${ref.repository.name}/pull/${ref.number}`,
    number: ref.number,
    state: pull.state === "open" ? "open" : "closed",
    locked: false,
    title: pull.title,
    user: userBody(github, pull.author),
    body: pull.body,
    created_at: time(pull.createdAt),
    merged_at: merged === null ? null : time(merged.at),
    merge_commit_sha: merged?.commit ?? null,
    merged: merged !== null,
    draft: pull.isDraft,
    labels: pull.labels.map((name) => ({ name })),
    requested_reviewers: pull.requestedReviewers.map((account) => userBody(github, account)),
    head: { ref: pull.head.branch, sha: pull.head.sha, repo },
    base: { ref: pull.base.branch, repo },
  };
}

function repoOf({ ref }: SandboxPull): object {
  return { id: Number(ref.repository.id), full_name: ref.repository.name };
}

/** A pull is an issue with a `pull_request` in it. */
function issueBody({ github, seen: { ref, pull } }: Happened): object {
  const url = `${github.url}/repos/${ref.repository.name}/pulls/${ref.number}`;
  return {
    url: `${github.url}/repos/${ref.repository.name}/issues/${ref.number}`,
    number: ref.number,
    title: pull.title,
    user: userBody(github, pull.author),
    state: pull.state === "open" ? "open" : "closed",
    draft: pull.isDraft,
    pull_request: { url, html_url: `${github.url}/${ref.repository.name}/pull/${ref.number}` },
    body: pull.body,
  };
}

/** The one that the change is about; what was deleted is told by its number alone. */
function commentOf({ github, seen, last }: Happened, space: CommentSpace): object {
  const all: readonly Comment[] = space === "issue" ? seen.comments : seen.threads.flatMap(({ comments }) => comments);
  const id = last?.what !== undefined && "comment" in last.what ? last.what.comment : all.at(-1)?.id;
  const comment = all.find((candidate) => candidate.id === id) ?? all.at(-1);
  if (comment === undefined) return id === undefined || id === null ? {} : { id: github.commentNumber(space, id) };
  return textBody(github, {
    id: github.commentNumber(space, comment.id),
    author: comment.author,
    body: comment.body,
    at: time(comment.createdAt),
  });
}

function reviewOf({ github, seen, last }: Happened): object {
  const id = last?.what !== undefined && "review" in last.what ? last.what.review : undefined;
  const review: Review | undefined = seen.reviews.find((candidate) => candidate.id === id) ?? seen.reviews.at(-1);
  if (review === undefined) return {};
  return {
    ...textBody(github, {
      id: Number(review.id),
      author: review.author,
      body: review.body,
      at: time(review.submittedAt),
    }),
    state: review.state,
    commit_id: review.commit,
    submitted_at: time(review.submittedAt),
  };
}

function textBody(
  github: GithubLike,
  {
    id,
    author,
    body,
    at,
  }: { readonly id: number; readonly author: Account; readonly body: string; readonly at: string },
): object {
  return { id, user: userBody(github, author), body, created_at: at, updated_at: at };
}

function checkRunOf({ seen, last }: Happened): object {
  const { ref, pull } = seen;
  const name = last?.what.kind === "reported" ? last.what.name : "drover";
  const repo = { id: Number(ref.repository.id), name: ref.repository.name.split("/")[1] };
  return {
    id: 1,
    name,
    head_sha: pull.head.sha,
    pull_requests: pull.head.isFork
      ? []
      : [
          {
            number: ref.number,
            head: { ref: pull.head.branch, sha: pull.head.sha, repo },
            base: { ref: pull.base.branch, repo },
          },
        ],
  };
}

function statusOf({ seen: { pull }, last }: Happened): object {
  const what = last?.what;
  return {
    id: 1,
    sha: pull.head.sha,
    context: what?.kind === "reported" ? what.name : "drover",
    state: what?.kind === "gate_set" ? what.state : "success",
    branches: pull.head.isFork ? [] : [{ name: pull.head.branch, commit: { sha: pull.head.sha } }],
  };
}
