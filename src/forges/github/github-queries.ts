/**
 * Each list costs a request for every element around it, a hundred requests make a point, the least is one.
 * `rateLimit.cost` tells the real price. `first` is a hundred, or less where that was too much.
 */

const actor = `type: __typename login ... on User { databaseId } ... on Bot { databaseId } ... on Mannequin { databaseId }
  ... on Organization { databaseId }`;

const page = "totalCount pageInfo { hasNextPage endCursor }";

const remark = `fullDatabaseId author { ${actor} } body createdAt lastEditedAt`;

const lists = {
  labels: `labels(first: $first, after: $after) { ${page} nodes { name } }`,
  comments: `comments(first: $first, after: $after) { ${page} nodes { ${remark} } }`,
  reviews: `reviews(first: $first, after: $after) { ${page} nodes {
    fullDatabaseId author { ${actor} } state body createdAt submittedAt commit { oid }
  } }`,
  reviewThreads: `reviewThreads(first: $first, after: $after) { ${page} nodes {
    id path line isResolved originalLine originalStartLine diffSide startDiffSide
    comments(first: $first) { ${page} nodes { ${remark} state diffHunk originalCommit { oid } } }
  } }`,
  reactions: `reactions(first: $first, after: $after) { ${page} nodes {
    content createdAt user { type: __typename login databaseId }
  } }`,
  userContentEdits: `userContentEdits(first: $first, after: $after) { ${page} nodes {
    editedAt editor { ${actor} } diff
  } }`,
  statusCheckRollup: `statusCheckRollup { contexts(first: $first, after: $after) { ${page} nodes {
    type: __typename
    ... on CheckRun {
      name status conclusion startedAt summary
      checkSuite { id app { databaseId slug } workflowRun { event workflow { name } } }
    }
    ... on StatusContext { context state description createdAt creator { ${actor} } }
  } } }`,
} as const;

export type PullList = keyof typeof lists;

const firstPages = Object.values(lists)
  .map((list) => list.replace(", after: $after", ""))
  .join("\n");

/** One point: ten lists, and a hundred requests for the remarks in a hundred threads. */
export const pullQuery = `query ($owner: String!, $name: String!, $number: Int!, $first: Int!) {
  rateLimit { cost }
  repository(owner: $owner, name: $name) {
    databaseId nameWithOwner
    pullRequest(number: $number) {
      id number title body author { ${actor} } createdAt updatedAt state isDraft mergeable
      headRefOid headRefName headRepository { nameWithOwner } isCrossRepository baseRefName
      reviewRequests(first: 100) { ${page} nodes { requestedReviewer {
        type: __typename
        ... on User { login databaseId } ... on Bot { login databaseId } ... on Mannequin { login databaseId }
      } } }
      forcePushes: timelineItems(last: 1, itemTypes: [HEAD_REF_FORCE_PUSHED_EVENT]) { nodes {
        ... on HeadRefForcePushedEvent { createdAt afterCommit { oid } }
      } }
      baseChanges: timelineItems(last: 1, itemTypes: [
        BASE_REF_CHANGED_EVENT, AUTOMATIC_BASE_CHANGE_SUCCEEDED_EVENT
      ]) { nodes {
        ... on BaseRefChangedEvent { createdAt base: currentRefName }
        ... on AutomaticBaseChangeSucceededEvent { createdAt base: newBase }
      } }
      ${firstPages}
    }
  }
}`;

/** One point. */
export function pullPageQuery(list: PullList): string {
  return `query ($id: ID!, $after: String, $first: Int!) {
    rateLimit { cost }
    node(id: $id) { ... on PullRequest { headRefOid ${lists[list]} } }
  }`;
}

/** One point. */
export const threadPageQuery = `query ($id: ID!, $after: String, $first: Int!) {
  rateLimit { cost }
  node(id: $id) { ... on PullRequestReviewThread {
    comments(first: $first, after: $after) { ${page} nodes { ${remark} state } }
  } }
}`;

/** One point. Replies are addressed to the first remark of a thread, not to the thread. */
export const threadRootQuery = `query ($id: ID!) {
  rateLimit { cost }
  node(id: $id) { ... on PullRequestReviewThread { comments(first: 1) { ${page} nodes { fullDatabaseId } } } }
}`;

export const resolveMutation = `mutation ($thread: ID!) {
  resolveReviewThread(input: { threadId: $thread }) { thread { isResolved } }
}`;

/** The same reaction again is answered with the one that is there. */
export const reactMutation = `mutation ($subject: ID!, $content: ReactionContent!) {
  addReaction(input: { subjectId: $subject, content: $content }) { reaction { content } }
}`;

/** One point. */
export const handOverQuery = `query ($owner: String!, $name: String!, $number: Int!) {
  rateLimit { cost }
  repository(owner: $owner, name: $name) {
    autoMergeAllowed
    pullRequest(number: $number) {
      id state headRefOid mergeable isInMergeQueue isMergeQueueEnabled autoMergeRequest { enabledAt }
    }
  }
}`;

export const enqueueMutation = `mutation ($id: ID!, $head: GitObjectID!) {
  enqueuePullRequest(input: { pullRequestId: $id, expectedHeadOid: $head }) { mergeQueueEntry { id } }
}`;

export const autoMergeMutation = `mutation ($id: ID!, $head: GitObjectID!, $method: PullRequestMergeMethod!) {
  enablePullRequestAutoMerge(input: { pullRequestId: $id, expectedHeadOid: $head, mergeMethod: $method }) {
    pullRequest { id }
  }
}`;

const digest = `id number state updatedAt headRefOid mergeable totalCommentsCount reviewDecision
  reactionGroups { content reactors { totalCount } }
  statusCheckRollup { state contexts {
    checkRunCountsByState { state count } statusContextCountsByState { state count }
  } }`;

const openPulls = `pullRequests(first: $first, after: $after, states: OPEN, orderBy: { field: CREATED_AT, direction: DESC }) {
  ${page} nodes { ${digest} }
}`;

/** One point for a hundred open pulls. */
export const openPullsQuery = `query ($owner: String!, $name: String!, $after: String, $first: Int!) {
  rateLimit { cost }
  repository(owner: $owner, name: $name) { databaseId ${openPulls} }
}`;

/** One point, however many: `nodes` is no list in GitHub's counting. The newest page finds new pulls. */
export function knownPullsQuery(groups: readonly (readonly string[])[]): string {
  const asked = groups.map(
    (_, index) => `known${index}: nodes(ids: $ids${index}) { ... on PullRequest { ${digest} } }`,
  );
  const variables = groups.map((_, index) => `$ids${index}: [ID!]!`);
  return `query ($owner: String!, $name: String!, $after: String, $first: Int!, ${variables.join(", ")}) {
    rateLimit { cost }
    repository(owner: $owner, name: $name) { databaseId ${openPulls} }
    ${asked.join("\n")}
  }`;
}
