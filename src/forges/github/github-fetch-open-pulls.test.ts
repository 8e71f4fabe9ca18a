import { describe, expect, it } from "vitest";
import { z } from "zod";
import { after, instant, minuteMs } from "#core/model/instant.ts";
import { createGithubClient } from "#forges/github/github-client.ts";
import { githubLimits } from "#forges/github/github-limits.ts";
import { someRepository as repository } from "#testing/makers.ts";
import { jsonAnswer, scriptedFetch } from "#testing/scripted-fetch.ts";
import { stillClock } from "#testing/still-clock.ts";

function node(number: number): object {
  return {
    id: `PR_${number}`,
    number,
    state: "OPEN",
    updatedAt: "2026-01-01T09:00:00Z",
    headRefOid: "a".repeat(40),
    mergeable: "MERGEABLE",
    totalCommentsCount: 0,
    reviewDecision: null,
    reactionGroups: [],
    statusCheckRollup: null,
  };
}

const Asked = z.object({
  query: z.string(),
  variables: z.looseObject({ first: z.number(), after: z.string().nullable() }),
});
type Asked = z.infer<typeof Asked>;

function checked(runs: readonly object[]): object {
  const contexts = { checkRunCountsByState: runs, statusContextCountsByState: null };
  return { ...node(1), statusCheckRollup: { state: "FAILURE", contexts } };
}

/** A repository of so many open pulls, and a GitHub that cannot be asked for them by their ids while it is weak. */
function connect(count: number) {
  let isWeak = false;
  let now = instant(1_767_258_000_000);
  const numbers = Array.from({ length: count }, (_, index) => count - index);
  function page({ variables: { first, after: cursor } }: Asked): object {
    const at = Number(cursor ?? "0");
    const end = Math.min(at + first, count);
    const pageInfo = { hasNextPage: end < count, endCursor: String(end) };
    const pullRequests = { totalCount: count, pageInfo, nodes: numbers.slice(at, end).map(node) };
    return { repository: { databaseId: 7, pullRequests } };
  }
  const { fetch, heard } = scriptedFetch(({ body }) => {
    const asked = Asked.parse(body);
    const isKnown = asked.query.includes("known0");
    if (isKnown && isWeak) return new Response("<html>", { status: 504, headers: { "content-type": "text/html" } });
    const groups = Object.entries(asked.variables).filter(([name]) => name.startsWith("ids"));
    const known = groups.map(([name, ids]) => [
      name.replace("ids", "known"),
      z
        .array(z.string())
        .parse(ids)
        .map((id) => node(Number(id.slice(3)))),
    ]);
    return jsonAnswer({ data: { ...page(asked), ...Object.fromEntries(known) } });
  });
  const clock = { now: () => now, sleep: async () => undefined };
  const access = { kind: "token", token: "ghp_secret" } as const;
  const forge = createGithubClient({ url: "https://api.test", access, clock, fetch });
  return {
    /** How many pulls are told, and by how many queries. */
    poll: async (): Promise<readonly [pulls: number, queries: number]> => {
      const before = heard.length;
      const pulls = await forge.fetchOpenPulls(repository);
      return [pulls.length, heard.length - before];
    },
    weaken: (next: boolean) => (isWeak = next),
    pass: (ms: number) => (now = after(now, ms)),
  };
}

describe("the open pulls", () => {
  it("are told all the same where one query for all of them is too much, which is then not tried for an hour", async () => {
    const { poll, weaken, pass } = connect(250);
    expect(await poll()).toEqual([250, 3]);
    expect(await poll()).toEqual([250, 1]);
    weaken(true);
    expect(await poll()).toEqual([250, 4]);
    expect(await poll()).toEqual([250, 3]);
    weaken(false);
    pass(githubLimits.knownRestMs - minuteMs);
    expect(await poll()).toEqual([250, 3]);
    pass(minuteMs);
    expect(await poll()).toEqual([250, 1]);
  });

  it("are asked for a thousand at a time", async () => {
    const { poll } = connect(2_150);
    expect(await poll()).toEqual([2_150, 22]);
    expect(await poll()).toEqual([2_150, 3]);
  });

  it("have another digest when a check passes beside one that has failed", async () => {
    const failed = { state: "FAILURE", count: 1 };
    const answers = [
      [{ state: "IN_PROGRESS", count: 1 }, failed],
      [failed, { state: "SUCCESS", count: 0 }, { state: "IN_PROGRESS", count: 1 }],
      [{ state: "SUCCESS", count: 1 }, failed],
    ].map(checked);
    const { fetch } = scriptedFetch((_, index) => {
      const pageInfo = { hasNextPage: false, endCursor: null };
      const pullRequests = { totalCount: 1, pageInfo, nodes: [answers[index]] };
      return jsonAnswer({ data: { repository: { databaseId: 7, pullRequests } } });
    });
    const clock = stillClock(0);
    const access = { kind: "token", token: "ghp_secret" } as const;
    const forge = createGithubClient({ url: "https://api.test", access, clock, fetch });
    const digests: (string | undefined)[] = [];
    for (const _ of answers) digests.push((await forge.fetchOpenPulls(repository))[0]?.digest);
    expect(digests[1]).toBe(digests[0]);
    expect(digests[2]).not.toBe(digests[1]);
  });
});
