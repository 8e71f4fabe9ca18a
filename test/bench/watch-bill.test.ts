import { describe, expect, it } from "vitest";
import type { SeenRequest } from "#github-like/seen-request.ts";
import { billOf, takeRequests } from "./watch-bill.ts";

function seen(over: Partial<SeenRequest>): SeenRequest {
  return {
    method: "GET",
    path: "/",
    endpoint: "get_repository",
    isWrite: false,
    body: undefined,
    headers: {},
    rights: null,
    status: 200,
    answer: undefined,
    resource: "core",
    cost: 1,
    ...over,
  };
}

const query = (text: string, cost: number): SeenRequest =>
  seen({ method: "POST", endpoint: "graphql:rateLimit", resource: "graphql", cost, body: { query: text } });

describe("the bill of what a server was asked", () => {
  it("has both limits apart, and counts what was not modified as a request that cost nothing", () => {
    const requests = [
      seen({}),
      seen({ status: 304, cost: 0 }),
      seen({ endpoint: "edit_comment", isWrite: true }),
      seen({ status: 403, cost: 0 }),
      query("{ repository { pullRequests(first: 100) { totalCount } } }", 2),
      query("{ repository { pullRequests(first: 100) { totalCount } } }", 0),
    ];
    expect(billOf(takeRequests({ requests }))).toMatchObject({
      requests: 6,
      unmodified: 1,
      rest: 2,
      graphql: 2,
      writes: 1,
      refused: 2,
    });
  });

  it("names the queries by what they ask for, the dearest first", () => {
    const requests = [
      seen({}),
      query("{ repository { pullRequest(number: 1) { id } } }", 1),
      query("{ repository { pullRequests(first: 100) { totalCount } } }", 1),
      query("{ repository { pullRequest(number: 2) { id } } }", 1),
      query("{ repository { pullRequests(first: 9) { totalCount } } known0: nodes(ids: []) { id } }", 4),
      query("{ viewer { login } }", 1),
    ];
    expect(billOf(takeRequests({ requests })).entries).toEqual([
      { name: "open pulls, known ones by id", requests: 1, points: 4 },
      { name: "one pull", requests: 2, points: 2 },
      { name: "get_repository", requests: 1, points: 1 },
      { name: "graphql:rateLimit", requests: 1, points: 1 },
      { name: "open pulls, by page", requests: 1, points: 1 },
    ]);
  });

  it("takes each request once", () => {
    const server = { requests: [seen({})] };
    expect(takeRequests(server)).toHaveLength(1);
    expect(takeRequests(server)).toEqual([]);
  });
});
