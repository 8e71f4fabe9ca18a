import { readPullDiff } from "#forge-like/pull-diff.ts";
import { time } from "#forge-like/time.ts";
import { mergeabilityOf } from "#forges/sandbox/mergeability.ts";
import { isPending, type PullState } from "#forges/sandbox/pull-state.ts";
import { latestStatuses } from "#forges/sandbox/report-status.ts";
import { findTip } from "#forges/sandbox/world.ts";
import { pullKey } from "#github-like/extras.ts";
import { actorView } from "#github-like/graphql/actor-view.ts";
import { commitView } from "#github-like/graphql/commit-view.ts";
import { refView, repositoryScalars } from "#github-like/graphql/repository-scalars.ts";
import type { View } from "#github-like/graphql/view.ts";
import { nodeId } from "#github-like/node-id.ts";
import { associationOf, pullHtml, visibleThreads } from "#github-like/rest/comment-body.ts";
import { pullNode, pullNumber } from "#github-like/rest/pull-body.ts";
import { restLogin } from "#github-like/rest/user-body.ts";
import type { PullSight } from "#github-like/sight.ts";

/** A pull without its lists. */
export function pullScalars(pull: PullSight): View {
  const { sight, entry, state } = pull;
  const { merged, bodyEdits } = state;
  const edited = bodyEdits.length > 1 ? bodyEdits.at(-1) : undefined;
  const closedAt = state.state === "open" ? null : time(merged?.at ?? state.changedAt);
  return {
    __typename: "PullRequest",
    id: pullNode(pull),
    databaseId: pullNumber(pull),
    fullDatabaseId: String(pullNumber(pull)),
    number: entry.ref.number,
    title: state.title,
    titleHTML: state.title,
    body: state.body,
    bodyText: state.body,
    bodyHTML: state.body,
    url: pullHtml(sight, entry),
    permalink: pullHtml(sight, entry),
    resourcePath: `/${entry.ref.repository.name}/pull/${entry.ref.number}`,
    author: () => actorView(sight, state.author),
    authorAssociation: associationOf(entry.repository, state.author),
    state: state.state.toUpperCase(),
    closed: state.state !== "open",
    closedAt,
    merged: merged !== null,
    mergedAt: merged === null ? null : time(merged.at),
    mergedBy: () => (merged === null ? null : actorView(sight, merged.by)),
    mergeCommit: () => (merged === null ? null : commitView(pull, merged.commit)),
    isDraft: state.isDraft,
    locked: false,
    activeLockReason: null,
    createdAt: time(state.createdAt),
    publishedAt: time(state.createdAt),
    updatedAt: time(state.changedAt),
    lastEditedAt: edited === undefined ? null : time(edited.at),
    editor: () => {
      const by = edited?.by === undefined || edited.by === null ? undefined : sight.world.accounts.get(edited.by);
      return by === undefined ? null : actorView(sight, by);
    },
    includesCreatedEdit: edited !== undefined,
    viewerDidAuthor: state.author.id === sight.asker.id,
    reviewDecision: decisionOf(state),
    totalCommentsCount:
      state.comments.length + visibleThreads(pull).reduce((sum, { comments }) => sum + comments.length, 0),
    repository: () => repositoryScalars(sight, entry.repository),
    ...branchFields(pull),
    ...mergeFields(pull),
    additions: async () => (await filesOf(pull)).reduce((sum, { addedLines }) => sum + addedLines, 0),
    deletions: async () => (await filesOf(pull)).reduce((sum, { removedLines }) => sum + removedLines, 0),
    changedFiles: async () => (await filesOf(pull)).length,
  };
}

export async function filesOf(pull: PullSight) {
  return (await readPullDiff(pull))?.diff.files ?? [];
}

function branchFields(pull: PullSight): Readonly<Record<string, unknown>> {
  const { sight, entry, state } = pull;
  const { head, base, author } = state;
  const [ownerLogin = "", name = ""] = entry.ref.repository.name.split("/");
  const headOwner = head.isFork ? restLogin(author) : ownerLogin;
  return {
    headRefName: head.branch,
    headRefOid: head.sha,
    headRef: () => (head.isFork ? null : refView(entry.repository, head.branch, head.sha)),
    headRepository: () =>
      head.isFork
        ? {
            ...repositoryScalars(sight, entry.repository),
            id: nodeId("R", "fork", entry.ref.repository.id, author.id),
            databaseId: 900_000_000 + Number(author.id),
            nameWithOwner: `${headOwner}/${name}`,
            isFork: true,
          }
        : repositoryScalars(sight, entry.repository),
    headRepositoryOwner: { __typename: "User", id: nodeId("U", headOwner), login: headOwner },
    isCrossRepository: head.isFork,
    maintainerCanModify: false,
    baseRefName: base.branch,
    baseRefOid: base.tip,
    baseRef: () => {
      const tip = findTip(entry.repository, base.branch);
      return tip === undefined ? null : refView(entry.repository, base.branch, tip);
    },
    baseRepository: () => repositoryScalars(sight, entry.repository),
    statusCheckRollup: () => {
      const rollup: unknown = commitView(pull, head.sha)["statusCheckRollup"];
      return typeof rollup === "function" ? (rollup() as unknown) : rollup;
    },
  };
}

function mergeFields(pull: PullSight): Readonly<Record<string, unknown>> {
  const { sight, entry, state } = pull;
  const key = pullKey(entry.ref.repository.id, entry.ref.number);
  const autoMerge = sight.extras.autoMerges.get(key);
  const queued = sight.extras.queueEntries.get(key);
  return {
    mergeable: async () => (await mergeabilityOf(sight.world, entry, { state, at: sight.at })).toUpperCase(),
    mergeStateStatus: () => mergeStateOf(pull),
    canBeRebased: false,
    autoMergeRequest:
      autoMerge === undefined
        ? null
        : {
            __typename: "AutoMergeRequest",
            enabledAt: time(autoMerge.at),
            enabledBy: () => actorView(sight, autoMerge.by),
            mergeMethod: autoMerge.method,
            authorEmail: null,
            commitBody: null,
            commitHeadline: null,
          },
    isInMergeQueue: queued !== undefined,
    isMergeQueueEnabled: sight.extras.queuedBranches.has(`${entry.ref.repository.id}:${state.base.branch}`),
    mergeQueueEntry:
      queued === undefined
        ? null
        : {
            __typename: "MergeQueueEntry",
            id: nodeId("MQE", entry.ref.repository.id, entry.ref.number),
            enqueuedAt: time(queued.at),
            enqueuer: () => actorView(sight, queued.by),
            state: "QUEUED",
            position: 1,
            jump: false,
            solo: false,
            estimatedTimeToMerge: null,
          },
  };
}

/** `CLEAN`, or the first thing that stands in the way. */
export async function mergeStateOf({ sight, entry, state }: PullSight): Promise<string> {
  const mergeable = await mergeabilityOf(sight.world, entry, { state, at: sight.at });
  if (mergeable === "unknown") return "UNKNOWN";
  if (mergeable === "conflicting") return "DIRTY";
  if (state.isDraft) return "DRAFT";
  const statuses = latestStatuses(entry.repository.statuses.get(state.head.sha) ?? [], sight.at);
  return statuses.some(({ state: word }) => word === "failed" || word === "pending") ? "UNSTABLE" : "CLEAN";
}

/** From the last verdict of each reviewer. */
function decisionOf({ reviews }: PullState): string | null {
  const verdicts = new Map<string, string>();
  for (const review of reviews) {
    if (isPending(review) || review.state.kind === "pending" || review.state.event === "comment") continue;
    verdicts.set(review.author.id, review.state.kind === "dismissed" ? "dismissed" : review.state.event);
  }
  const words = new Set(verdicts.values());
  if (words.has("request_changes")) return "CHANGES_REQUESTED";
  return words.has("approve") ? "APPROVED" : null;
}
