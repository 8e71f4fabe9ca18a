import { describe, expect, it } from "vitest";
import { HeadSha } from "#core/model/ids.ts";
import { createGithubClient } from "#forges/github/github-client.ts";
import { someRepository as repository } from "#testing/makers.ts";
import { jsonAnswer, scriptedFetch } from "#testing/scripted-fetch.ts";
import { stillClock } from "#testing/still-clock.ts";

const pull = { repository, number: 12 };
const head = HeadSha.parse("a".repeat(40));
const node = {
  id: "PR_1",
  state: "OPEN",
  headRefOid: head,
  isInMergeQueue: false,
  isMergeQueueEnabled: false,
  autoMergeRequest: null,
};

/** A GitHub where it is too early to merge at once, for these reasons, one for each way. */
function connect(mergeable: string, ...refusals: readonly string[]) {
  let asked = 0;
  const { fetch, heard } = scriptedFetch(({ method, path, body }) => {
    if (method === "GET") return jsonAnswer({ id: 7, full_name: "acme/tools", clone_url: "https://github.test/x.git" });
    if (method === "PUT") return jsonAnswer({ message: refusals[asked++] ?? "" }, { status: 405 });
    const isMutation = path === "/graphql" && JSON.stringify(body).includes("mutation");
    const looked = { repository: { autoMergeAllowed: true, pullRequest: { ...node, mergeable } } };
    return jsonAnswer({ data: isMutation ? {} : looked });
  });
  const clock = stillClock(1_767_258_000_000);
  const access = { kind: "token", token: "ghp_secret" } as const;
  const forge = createGithubClient({ url: "https://api.test", access, clock, fetch, merging: "forge" });
  return { forge, mutations: () => heard.filter(({ body }) => JSON.stringify(body).includes("mutation")) };
}

describe("what is too early to merge", () => {
  it("is left to auto-merge, by the way that the branch takes", async () => {
    const refusals = ["Merge commits are not allowed on this repository.", "Required status check is expected."];
    const { forge, mutations } = connect("MERGEABLE", ...refusals);
    expect(await forge.merge({ pull, head })).toEqual({ kind: "handed_over", to: "auto_merge" });
    expect(mutations()).toMatchObject([{ body: { variables: { head, method: "SQUASH" } } }]);
  });

  it("is not handed over a second time by itself once GitHub has let go of it", async () => {
    const { forge, mutations } = connect("MERGEABLE", "Required status check is expected.");
    expect(await forge.merge({ pull, head, isHandedOver: true })).toEqual({ kind: "handed_back" });
    expect(mutations()).toEqual([]);
  });

  it("is not left to auto-merge with a conflict, which only a head that nobody approved can end", async () => {
    const { forge, mutations } = connect("CONFLICTING", "Pull Request is not mergeable");
    expect(await forge.merge({ pull, head })).toEqual({ kind: "not_now", why: "Pull Request is not mergeable" });
    expect(mutations()).toEqual([]);
  });
});
