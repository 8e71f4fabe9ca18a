import { time } from "#forge-like/time.ts";
import type { ReviewState } from "#forges/sandbox/pull-state.ts";
import { nodeId } from "#github-like/node-id.ts";
import { associationOf, pullHtml } from "#github-like/rest/comment-body.ts";
import { repositoryUrl } from "#github-like/rest/repository-body.ts";
import { userBody } from "#github-like/rest/user-body.ts";
import type { PullSight } from "#github-like/sight.ts";

export function reviewBody({ sight, entry }: PullSight, review: ReviewState): object {
  const { ref } = entry;
  const pull = `${repositoryUrl(sight, ref.repository.name)}/pulls/${ref.number}`;
  const html = `${pullHtml(sight, entry)}#pullrequestreview-${review.id}`;
  return {
    id: Number(review.id),
    node_id: nodeId("PRR", ref.repository.id, ref.number, review.id),
    user: userBody(sight, review.author),
    body: review.body,
    state: reviewWord(review),
    html_url: html,
    pull_request_url: pull,
    _links: { html: { href: html }, pull_request: { href: pull } },
    ...(review.state.kind !== "pending" && { submitted_at: time(review.state.at) }),
    commit_id: review.commit,
    author_association: associationOf(entry.repository, review.author),
  };
}

export type ReviewWord = "PENDING" | "DISMISSED" | "APPROVED" | "CHANGES_REQUESTED" | "COMMENTED";

export function reviewWord({ state }: ReviewState): ReviewWord {
  if (state.kind === "pending") return "PENDING";
  return state.kind === "dismissed" ? "DISMISSED" : words[state.event];
}

const words = { approve: "APPROVED", request_changes: "CHANGES_REQUESTED", comment: "COMMENTED" } as const;
