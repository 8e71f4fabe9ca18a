import type { Comment, Reaction } from "#core/model/conversation.ts";
import { Untrusted } from "#core/model/ids.ts";
import { never } from "#core/never.ts";
import type { EndpointCall } from "#forges/sandbox/call-endpoint.ts";
import { mergeabilityOf } from "#forges/sandbox/mergeability.ts";
import type { PullState, ReviewEvent, ReviewState, StatusState } from "#forges/sandbox/pull-state.ts";
import type { SandboxManner } from "#forges/sandbox/sandbox.ts";
import type {
  WireCheckRun,
  WireComment,
  WirePull,
  WireReaction,
  WireReview,
  WireStatus,
} from "#forges/sandbox/wire.ts";
import { wireUser } from "#forges/sandbox/wire-user.ts";
import type { PullEntry, World } from "#forges/sandbox/world.ts";

export async function wirePull({ world, at }: EndpointCall, entry: PullEntry, state: PullState): Promise<WirePull> {
  const { head, base, merged } = state;
  const mergeable = await mergeabilityOf(world, entry, { state, at });
  const { hidesPushTimes } = world.quirks;
  return {
    number: entry.ref.number,
    title: state.title,
    body: state.body,
    user: wireUser(world, state.author),
    state: state.state === "open" ? "open" : "closed",
    merged: merged !== null,
    merge_commit_sha: merged?.commit ?? null,
    draft: state.isDraft,
    labels: state.labels,
    comments: state.comments.length,
    head: {
      sha: head.sha,
      ref: head.branch,
      is_fork: head.isFork,
      pushed_at: hidesPushTimes ? null : world.told(head.pushedAt),
    },
    base: { ref: base.branch, since: world.told(base.since) },
    mergeable,
    requested_reviewers: state.requests.map(({ of }) => wireUser(world, of)),
    created_at: world.told(state.createdAt),
    updated_at: world.told(state.changedAt),
    body_edits: hidesPushTimes ? [] : state.bodyEdits.map((edit) => ({ ...edit, at: world.told(edit.at) })),
  };
}

export function wireComment(world: World, { id, author, body, createdAt, editedAt }: Comment): WireComment {
  const created = world.told(createdAt);
  return {
    id,
    user: wireUser(world, author),
    body,
    created_at: created,
    updated_at: editedAt === null ? created : world.told(editedAt),
  };
}

export function wireReview(world: World, pull: PullState, review: ReviewState): WireReview {
  const { id, author, state, body, originalBody, commit, bodyComment } = review;
  let count = 0;
  for (const thread of pull.threads) if (thread.review === id) count += thread.comments.length;
  return {
    id,
    user: wireUser(world, author),
    state: stateWord(world.manner, state),
    dismissed: world.manner === "gitea" && state.kind === "dismissed",
    body: world.quirks.listsOriginalBodies ? originalBody : body,
    commit_id: commit,
    submitted_at: state.kind === "pending" ? null : world.told(state.at),
    comments_count: count,
    body_comment: bodyComment,
  };
}

/** Gitea's lists have a review for each request. */
export function wireRequests(world: World, { head, changedAt, requests }: PullState): readonly WireReview[] {
  return requests.map(({ id, of }) => ({
    id,
    user: wireUser(world, of),
    state: "REQUEST_REVIEW",
    dismissed: false,
    body: noText,
    commit_id: head.sha,
    submitted_at: world.told(changedAt),
    comments_count: 0,
    body_comment: null,
  }));
}

const noText = Untrusted.parse("");

function stateWord(manner: SandboxManner, state: ReviewState["state"]): string {
  if (state.kind === "pending") return "PENDING";
  if (manner === "gitea") return giteaStates[state.event];
  return state.kind === "dismissed" ? "DISMISSED" : githubStates[state.event];
}

const githubStates = {
  approve: "APPROVED",
  request_changes: "CHANGES_REQUESTED",
  comment: "COMMENTED",
} as const satisfies Record<ReviewEvent, string>;

const giteaStates = {
  approve: "APPROVED",
  request_changes: "REQUEST_CHANGES",
  comment: "COMMENT",
} as const satisfies Record<ReviewEvent, string>;

export function wireReaction(world: World, { author, content, createdAt }: Reaction): WireReaction {
  return { user: wireUser(world, author), content, created_at: world.told(createdAt) };
}

export function wireStatus(world: World, { name, by, state, words, at }: StatusState): WireStatus {
  const created = world.told(at);
  return {
    context: name,
    creator: wireUser(world, by),
    state: statusWord(state),
    description: words,
    created_at: created,
  };
}

function statusWord(state: StatusState["state"]): WireStatus["state"] {
  switch (state) {
    case "pending":
      return "pending";
    case "failed":
      return "failure";
    case "passed":
    case "neutral":
      return "success";
    default:
      return never(state);
  }
}

/** The title is cut as GitHub wants it; the summary is whole. */
export function wireCheckRun(world: World, { name, by, state, words, at }: StatusState): WireCheckRun {
  return {
    name,
    app: wireUser(world, by),
    status: state === "pending" ? "in_progress" : "completed",
    conclusion:
      state === "neutral"
        ? "neutral"
        : state === "pending"
          ? null
          : statusWord(state) === "success"
            ? "success"
            : "failure",
    output: { title: words, summary: words },
    started_at: world.told(at),
  };
}
