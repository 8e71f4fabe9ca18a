import { readRemarkedText } from "#core/diff/remarked-text.ts";
import type { Review, Thread } from "#core/model/conversation.ts";
import { findMergeability } from "#forges/sandbox/mergeability.ts";
import {
  isPending,
  type PullState,
  type ReviewEvent,
  type ReviewState,
  type StatusState,
} from "#forges/sandbox/pull-state.ts";
import { gateStateOf, latestStatuses } from "#forges/sandbox/report-status.ts";
import type { SandboxPull } from "#forges/sandbox/sandbox.ts";
import { newestOf, type PullEntry, type World } from "#forges/sandbox/world.ts";

/** With exact times. Pending reviews are among the reviews; their remarks are no threads yet. */
export function inspectPull(world: World, entry: PullEntry): SandboxPull {
  const state = newestOf(entry);
  const { head, heads, base } = state;
  const statusesOf = (commit: typeof head.sha) => entry.repository.statuses.get(commit) ?? [];
  const checks = latestStatuses(statusesOf(head.sha), world.now()).filter((status) => !status.isGate);
  const gates = [...new Set(heads)].flatMap(statusesOf).filter((status) => status.isGate);
  return {
    ref: entry.ref,
    pull: {
      repository: entry.ref.repository,
      number: entry.ref.number,
      title: state.title,
      body: state.body,
      bodyEdits: state.bodyEdits,
      author: state.author,
      createdAt: state.createdAt,
      state: state.state,
      isDraft: state.isDraft,
      head: { ...head, patch: null },
      base: { branch: base.branch, since: base.since },
      labels: state.labels,
      mergeability: findMergeability(entry, state),
      requestedReviewers: state.requests.map(({ of }) => of),
    },
    comments: state.comments,
    reviews: state.reviews.map(reviewOf),
    verdicts: verdictsOf(state),
    threads: threadsOf(state),
    reactions: state.reactions,
    commentReactions: state.commentReactions,
    checks: checks.map(checkOf),
    gates: gates.sort((one, other) => one.at - other.at).map(gateOf),
    merged: state.merged,
  };
}

function verdictsOf({ reviews }: PullState): SandboxPull["verdicts"] {
  const last = new Map<string, SandboxPull["verdicts"][number]>();
  for (const { author, state } of reviews) {
    if (state.kind !== "submitted" || state.event === "comment") continue;
    last.set(author.id, { by: author, event: state.event });
  }
  return [...last.values()];
}

function reviewOf({ id, author, state, body, commit, createdAt }: ReviewState): Review {
  const submittedAt = state.kind === "pending" ? createdAt : state.at;
  return {
    id,
    author,
    state: state.kind === "submitted" ? states[state.event] : state.kind,
    body,
    submittedAt,
    commit,
  };
}

const states = {
  approve: "approved",
  request_changes: "changes_requested",
  comment: "commented",
} as const satisfies Record<ReviewEvent, Review["state"]>;

function threadsOf({ threads, reviews }: PullState): readonly Thread[] {
  const pending = new Set(reviews.filter(isPending).map(({ id }) => id));
  return threads
    .filter((thread) => !thread.isLost && !pending.has(thread.review))
    .map(({ id, path, side, line, remarked: { commit, lines, hunk }, isResolved, comments }) => {
      const remarked = { commit, side, ...lines, text: readRemarkedText(hunk, { side, ...lines }) };
      return { id, path, line, remarked, isResolved, comments };
    });
}

function checkOf({ name, by, commit, state, at }: StatusState): SandboxPull["checks"][number] {
  return { name, source: by.login, head: commit, state: state === "neutral" ? "passed" : state, startedAt: at };
}

function gateOf({ by, commit, state, words, at }: StatusState): SandboxPull["gates"][number] {
  return { by, head: commit, state: gateStateOf(state), words, at };
}
