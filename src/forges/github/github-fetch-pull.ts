import type { Thread } from "#core/model/conversation.ts";
import { type LimitName, limits } from "#core/model/limits.ts";
import { cutBodies } from "#forges/cut-bodies.ts";
import { type Caller, callGraphql, type GraphqlReply } from "#forges/github/github-call.ts";
import { readChecks } from "#forges/github/github-checks.ts";
import type { GithubIdentity } from "#forges/github/github-identity.ts";
import { readComment, readPull, readReaction, readReview, readThread } from "#forges/github/github-map.ts";
import { atPull, nameParams } from "#forges/github/github-paths.ts";
import { PullAnswer, type PullNode, PullPageAnswer, ThreadPageAnswer } from "#forges/github/github-pull-schema.ts";
import type { FetchPushTime } from "#forges/github/github-push-time.ts";
import { type PullList, pullPageQuery, pullQuery, threadPageQuery } from "#forges/github/github-queries.ts";
import type { ThreadNode, ThreadRemarkNode } from "#forges/github/github-schema.ts";
import { type FetchedPull, ForgeError } from "#ports/forge.ts";
import type { PullRef } from "#ports/pull-ref.ts";

interface Look {
  readonly caller: Caller;
  readonly identity: GithubIdentity;
  readonly fetchPushTime: FetchPushTime;
  readonly pull: PullRef;
}

interface Turning extends Look {
  readonly node: PullNode;
  readonly note: (limit: LimitName, isCut: boolean) => void;
}

/** One query; more only where a list has more than a hundred. */
export async function fetchPull(look: Look): Promise<FetchedPull> {
  const { repository, number } = look.pull;
  const { body, answer } = await fetchFirst(look);
  const node = body.repository?.databaseId === repository.id ? body.repository.pullRequest : undefined;
  if (node === undefined || node === null) {
    const message = `github ${repository.name}#${number}: fetch pull: there is none`;
    throw new ForgeError("not_found", message, { isApplied: "no" });
  }
  const reached = new Set<LimitName>();
  const turning: Turning = { ...look, node, note: (limit, isCut) => isCut && reached.add(limit) };
  const { reactions, checks, gate, ...texts } = await fetchParts(turning).catch(sayMissingPart);
  return {
    observedAt: answer.askedAt,
    ...cutBodies(texts, turning.note),
    reactions,
    checks,
    gate,
    limitsReached: [...reached],
    changedAt: node.updatedAt,
    headRef: `refs/pull/${number}/head`,
  };
}

async function fetchFirst({ caller, pull }: Look): Promise<GraphqlReply<typeof PullAnswer._output>> {
  const { owner, repo } = nameParams(pull.repository.name);
  return await callGraphql(caller, {
    ...atPull(pull),
    name: "fetch pull",
    manner: "read",
    rights: "look",
    isPaged: true,
    query: pullQuery,
    variables: { owner, name: repo, number: pull.number },
    shape: PullAnswer,
  });
}

type Parts = Pick<FetchedPull, "pull" | "comments" | "reviews" | "threads" | "reactions" | "checks" | "gate">;

async function fetchParts(turning: Turning): Promise<Parts> {
  const { node, identity, pull } = turning;
  const labels = await turnPages(turning, "labels", "labelsMax", node.labels);
  const comments = await turnPages(turning, "comments", "commentsMax", node.comments);
  const reviews = await turnPages(turning, "reviews", "reviewsMax", node.reviews);
  const threads = await turnPages(turning, "reviewThreads", "threadsMax", node.reviewThreads);
  const reactions = await turnPages(turning, "reactions", "reactionsMax", node.reactions);
  const edits = await turnPages(turning, "userContentEdits", "headsMax", node.userContentEdits);
  const contexts = await turnPages(turning, "statusCheckRollup", "checksMax", node.statusCheckRollup?.contexts);
  const head = node.headRefOid;
  return {
    pull: readPull(pull.repository, node, { edits, labels, pushedAt: await turning.fetchPushTime(pull, node) }),
    comments: comments.map((comment) => readComment("conversation", comment)),
    reviews: reviews.map(readReview),
    threads: await fetchThreads(turning, threads),
    reactions: reactions.map(readReaction).filter((reaction) => reaction !== undefined),
    ...readChecks(contexts, { head, identity }),
  };
}

/** The pull was there; a missing part went meanwhile, or answers differ in age. The pull does not count as gone. */
function sayMissingPart(error: unknown): never {
  if (!(error instanceof ForgeError) || error.kind !== "not_found") throw error;
  throw new ForgeError("unavailable", error.message, { isApplied: "no", cause: error });
}

interface Page<Node> {
  readonly isWithheld: boolean;
  readonly totalCount: number;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  readonly nodes: readonly Node[];
}

type Lists = Pick<PullNode, Exclude<PullList, "statusCheckRollup">> & {
  readonly statusCheckRollup: NonNullable<PullNode["statusCheckRollup"]>["contexts"] | null;
};
type NodeOf<List extends PullList> = NonNullable<Lists[List]>["nodes"][number];

async function turnPages<List extends PullList>(
  turning: Turning,
  list: List,
  limit: LimitName,
  first: Page<NodeOf<List>> | null | undefined,
): Promise<readonly NodeOf<List>[]> {
  const nodesMax = limits[limit];
  let page = first;
  if (first?.isWithheld === true) {
    page = await fetchPage(turning, list, null);
    turning.note(limit, isKeptBack(turning, first, page));
  }
  const nodes = [...(page?.nodes ?? [])];
  for (let after = nextOf(page); after !== null && nodes.length <= nodesMax; after = nextOf(page)) {
    page = await fetchPage(turning, list, after);
    nodes.push(...page.nodes);
  }
  turning.note(limit, nodes.length > nodesMax);
  return nodes.length > nodesMax ? nodes.slice(0, nodesMax) : nodes;
}

/**
 * GitHub may withhold a counted list that is too much, so it was read alone. Still withheld, as content of a flagged
 * account, it is reported as missing.
 */
function isKeptBack({ pull }: Turning, first: Page<unknown>, alone: Page<unknown>): boolean {
  if (alone.isWithheld && alone.totalCount !== first.totalCount) throw changed(pull);
  return alone.isWithheld;
}

function nextOf(page: Page<unknown> | null | undefined): string | null {
  return page?.pageInfo.hasNextPage === true ? page.pageInfo.endCursor : null;
}

async function fetchPage<List extends PullList>(
  { caller, pull, node }: Turning,
  list: List,
  after: string | null,
): Promise<Page<NodeOf<List>>> {
  const { body } = await callGraphql(caller, {
    ...atPull(pull),
    name: `fetch more ${list}`,
    manner: "read",
    rights: "look",
    isPaged: true,
    query: pullPageQuery(list),
    variables: { id: node.id, after },
    shape: PullPageAnswer,
  });
  const found = body.node;
  const page = list === "statusCheckRollup" ? found?.statusCheckRollup?.contexts : found?.[list];
  // After a push in between these are checks of another commit.
  const isOfHead = list !== "statusCheckRollup" || found?.headRefOid === node.headRefOid;
  if (page === null || page === undefined || !isOfHead) throw changed(pull);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the list that was asked for by its name is the one that was read by it.
  return page as Page<NodeOf<List>>;
}

function changed({ repository, number }: PullRef): ForgeError {
  return new ForgeError("unavailable", `github ${repository.name}#${number}: it changed during the look`, {
    isApplied: "no",
  });
}

async function fetchThreads(turning: Turning, nodes: readonly ThreadNode[]): Promise<readonly Thread[]> {
  const threads: Thread[] = [];
  for (const node of nodes) {
    const thread = readThread(node, await fetchRemarks(turning, node));
    if (thread !== undefined) threads.push(thread);
  }
  return threads;
}

async function fetchRemarks(turning: Turning, { id, comments }: ThreadNode): Promise<readonly ThreadRemarkNode[]> {
  const nodesMax = limits.threadCommentsMax;
  let page: Page<ThreadRemarkNode> | undefined = comments;
  if (comments.isWithheld) {
    page = await fetchRemarkPage(turning, id, null);
    turning.note("threadCommentsMax", page !== undefined && isKeptBack(turning, comments, page));
  }
  const nodes: ThreadRemarkNode[] = [...(page?.nodes ?? [])];
  for (let after = nextOf(page); after !== null && nodes.length <= nodesMax; after = nextOf(page)) {
    page = await fetchRemarkPage(turning, id, after);
    nodes.push(...(page?.nodes ?? []));
  }
  turning.note("threadCommentsMax", nodes.length > nodesMax);
  return nodes.slice(0, nodesMax);
}

async function fetchRemarkPage({ caller, pull }: Turning, id: string, after: string | null) {
  const { body } = await callGraphql(caller, {
    ...atPull(pull),
    name: "fetch more of a thread",
    manner: "read",
    rights: "look",
    isPaged: true,
    query: threadPageQuery,
    variables: { id, after },
    shape: ThreadPageAnswer,
  });
  return body.node?.comments;
}
