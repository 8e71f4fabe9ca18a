import { describe, expect, it } from "vitest";
import { createGithubClient } from "#forges/github/github-client.ts";
import type { FetchedPull } from "#ports/forge.ts";
import { somePull as pull, sha } from "#testing/makers.ts";
import { jsonAnswer, type ScriptedFetch, scriptedFetch } from "#testing/scripted-fetch.ts";
import { stillClock } from "#testing/still-clock.ts";

const empty = { totalCount: 0, pageInfo: { hasNextPage: false, endCursor: null }, nodes: [] };
const [early, late] = ["2026-01-01T09:00:00Z", "2026-01-01T10:00:00Z"];

function aPull(change: Readonly<Record<string, unknown>>): unknown {
  const lists = ["labels", "reviewRequests", "userContentEdits", "comments", "reviews", "reviewThreads", "reactions"];
  const pullRequest = {
    id: "PR_1",
    number: 12,
    title: "Add a parser",
    body: "",
    author: null,
    createdAt: early,
    updatedAt: late,
    state: "OPEN",
    isDraft: false,
    mergeable: "MERGEABLE",
    headRefOid: sha(1),
    headRefName: "parser",
    headRepository: { nameWithOwner: "ada/tools" },
    isCrossRepository: true,
    baseRefName: "main",
    forcePushes: { nodes: [] },
    baseChanges: { nodes: [] },
    ...Object.fromEntries(lists.map((list) => [list, empty])),
    statusCheckRollup: null,
    ...change,
  };
  return { data: { repository: { databaseId: 7, nameWithOwner: "acme/tools", pullRequest } } };
}

interface Made extends Pick<ScriptedFetch, "heard"> {
  readonly pushedAt: () => Promise<FetchedPull["pull"]["head"]["pushedAt"]>;
}

function connect(change: Readonly<Record<string, unknown>>, activity: () => Response): Made {
  const { fetch, heard } = scriptedFetch(({ path }) => {
    if (path === "/user") return jsonAnswer({ id: 9, login: "drover", type: "User" });
    return path === "/graphql" ? jsonAnswer(aPull(change)) : activity();
  });
  const clock = stillClock(Date.parse(late));
  const access = { kind: "token", token: "ghp_secret" } as const;
  const forge = createGithubClient({ url: "https://api.test", access, clock, fetch });
  return { heard, pushedAt: async () => (await forge.fetchPull(pull)).pull.head.pushedAt };
}

function activitiesAsked({ heard }: Made): readonly string[] {
  return heard.map(({ path }) => path).filter((path) => path.includes("/activity"));
}

const pushed = (after: string) => () => jsonAnswer([{ after, timestamp: late }]);

describe("the time of a push", () => {
  it("is that of the force-push that brought the head, without another request", async () => {
    const forced = { forcePushes: { nodes: [{ createdAt: late, afterCommit: { oid: sha(1) } }] } };
    const made = connect(forced, pushed(sha(1)));
    expect(await made.pushedAt()).toBe(Date.parse(late));
    expect(activitiesAsked(made)).toEqual([]);
  });

  it("is asked for in the repository of the head, once for each head", async () => {
    const made = connect({}, pushed(sha(1)));
    expect([await made.pushedAt(), await made.pushedAt()]).toEqual([Date.parse(late), Date.parse(late)]);
    expect(activitiesAsked(made)).toEqual([
      "/repos/ada/tools/activity?ref=refs%2Fheads%2Fparser&per_page=1&direction=desc",
    ]);
  });

  it("is not told while the list lags behind, and asked for again", async () => {
    const made = connect({}, pushed(sha(2)));
    expect([await made.pushedAt(), await made.pushedAt()]).toEqual([null, null]);
    expect(activitiesAsked(made)).toHaveLength(2);
  });

  it.each([403, 404, 422])("is not told where the list is refused with %i, and not asked for again", async (status) => {
    const made = connect({}, () => jsonAnswer({ message: "No" }, { status }));
    expect([await made.pushedAt(), await made.pushedAt()]).toEqual([null, null]);
    expect(activitiesAsked(made)).toHaveLength(1);
  });

  it.each([{ state: "MERGED" }, { headRepository: null }])("is nobody's business for %j", async (change) => {
    const made = connect(change, pushed(sha(1)));
    expect([await made.pushedAt(), activitiesAsked(made)]).toEqual([null, []]);
  });
});
