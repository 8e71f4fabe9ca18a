import { getOperationAST, parse, validate } from "graphql";
import { describe, expect, it } from "vitest";
import { costOf } from "#github-like/graphql/cost.ts";
import { githubSchema } from "#github-like/graphql/schema.ts";

function price(query: string, variables: Readonly<Record<string, unknown>> = {}) {
  const document = parse(query);
  expect(validate(githubSchema(), document)).toEqual([]);
  const operation = getOperationAST(document);
  if (operation === null || operation === undefined) throw new Error("no operation");
  const { points, nodeCount, problems } = costOf(githubSchema(), document, { operation, variables });
  return { points, nodeCount, problems: problems.map(({ type }) => type) };
}

/** `inner` on one pull. */
function ofPull(inner: string, variables = ""): string {
  return `query ${variables} { repository(owner: "a", name: "b") { pullRequest(number: 1) { ${inner} } } }`;
}

/** As many requests as threads, and one. */
function threads(size: number): string {
  return `t${size}: reviewThreads(first: ${size}) { nodes { comments(first: 1) { nodes { id } } } }`;
}

describe("the price of a query", () => {
  it("is a point where there is no list at all", () => {
    expect(price("{ viewer { login } rateLimit { cost } }")).toEqual({ points: 1, nodeCount: 0, problems: [] });
  });

  // 1 request for repositories, 100 for their issues, 100 × 50 for the labels of these: 5,101 hundredths.
  it("multiplies down a path, as in GitHub's own example of 51 points", () => {
    const query = `{ viewer { login repositories(first: 100) { edges { node { id issues(first: 50) { edges { node { id
      labels(first: 60) { edges { node { id name } } } } } } } } } } }`;
    expect(price(query)).toEqual({ points: 51, nodeCount: 100 + 5000 + 300_000, problems: [] });
  });

  // 50 + 50×20 + 50×20×10 + 50×20 + 50×20×10 + 10, from 1 + 50 + 1,000 + 50 + 1,000 + 1 requests.
  it("adds up paths beside each other, as in GitHub's own example of 22,060 nodes", () => {
    const lists = `(first: 20) { edges { node { title comments(first: 10) { edges { node { bodyHTML } } } } } }`;
    const query = `{ viewer { repositories(first: 50) { edges { node { name pullRequests${lists} issues${lists} } } }
      followers(first: 10) { edges { node { login } } } } }`;
    expect(price(query)).toEqual({ points: 21, nodeCount: 22_060, problems: [] });
  });

  it("rounds to the nearest point", () => {
    // 1 + 100 + 1 + 47 = 149, and one more.
    expect(price(ofPull(threads(100) + threads(47))).points).toBe(1);
    expect(price(ofPull(threads(100) + threads(48))).points).toBe(2);
  });

  it("looks into fragments, variables and their defaults", () => {
    const query = `${ofPull("...F", "($size: Int = 10)")} fragment F on PullRequest { reviewThreads(first: $size) { nodes { ... on PullRequestReviewThread {
      comments(first: 5) { nodes { id } } } } } }`;
    expect(price(query).nodeCount).toBe(10 + 50);
    expect(price(query, { size: 20 }).nodeCount).toBe(20 + 100);
  });

  it("of a digest of a hundred pulls by their ids is one point, of several of them too", () => {
    const digest = `... on PullRequest { updatedAt headRefOid totalCommentsCount reviewDecision
      reactionGroups { content reactors { totalCount } } statusCheckRollup { state } }`;
    const query = `query ($ids: [ID!]!) { one: nodes(ids: $ids) { ${digest} } two: nodes(ids: $ids) { ${digest} } }`;
    const ids = Array.from({ length: 100 }, (_, index) => `PR_${index}`);
    expect(price(query, { ids })).toEqual({ points: 1, nodeCount: 0, problems: [] });
  });

  it("of lists below many nodes is paid for each node", () => {
    const query =
      "query ($ids: [ID!]!) { nodes(ids: $ids) { ... on PullRequest { comments(first: 2) { nodes { id } } reviews(first: 1) { nodes { id } } } } }";
    const ids = Array.from({ length: 100 }, (_, index) => `PR_${index}`);
    expect(price(query, { ids })).toEqual({ points: 2, nodeCount: 300, problems: [] });
  });
});

describe("a query that asks for too much", () => {
  it.each([
    ["more than a hundred", ofPull("comments(first: 101) { nodes { id } }"), "EXCESSIVE_PAGINATION"],
    ["none", ofPull("comments(first: 0) { nodes { id } }"), "EXCESSIVE_PAGINATION"],
    ["nobody knows how many", ofPull("comments { nodes { id } }"), "MISSING_PAGINATION_BOUNDARIES"],
    [
      "half a million",
      `{ viewer { repositories(first: 100) { nodes { pullRequests(first: 100) { nodes { comments(first: 100) { nodes { id } } } } } } } }`,
      "MAX_NODE_LIMIT_EXCEEDED",
    ],
  ])("is refused: %s", (_, query, type) => {
    expect(price(query).problems).toEqual([type]);
  });

  it("is allowed when only the number of something is asked for", () => {
    expect(price(ofPull("comments { totalCount }")).problems).toEqual([]);
  });
});
