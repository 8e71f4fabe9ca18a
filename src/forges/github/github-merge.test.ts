import { describe, expect, it } from "vitest";
import { HeadSha } from "#core/model/ids.ts";
import { after, instant } from "#core/model/instant.ts";
import { createGithubClient } from "#forges/github/github-client.ts";
import { githubLimits } from "#forges/github/github-limits.ts";
import { somePull as pull } from "#testing/makers.ts";
import { type HeardRequest, jsonAnswer, scriptedFetch } from "#testing/scripted-fetch.ts";

const head = HeadSha.parse("a".repeat(40));

/** A GitHub that takes half the time of a write for every answer. */
function connectSlow(answer: (request: HeardRequest) => Response, merging: "direct" | "forge" = "direct") {
  let now = instant(1_767_258_000_000);
  const { fetch, heard } = scriptedFetch((request) => {
    now = after(now, githubLimits.writeTimeoutMs / 2);
    return answer(request);
  });
  const clock = { now: () => now, sleep: async () => undefined };
  const access = { kind: "token", token: "ghp_secret" } as const;
  const forge = createGithubClient({ url: "https://api.test", access, clock, fetch, merging });
  return { forge, asked: () => heard.map(({ method, path }) => `${method} ${path}`) };
}

const found = { id: 7, full_name: "acme/tools", clone_url: "https://github.test/acme/tools.git" };

describe("a write that takes several calls has the time of one for all of them", () => {
  it("when the first way to merge is not allowed", async () => {
    const words = { message: "Merge commits are not allowed on this repository." };
    const { forge, asked } = connectSlow(({ method }) =>
      method === "GET" ? jsonAnswer(found) : jsonAnswer(words, { status: 405 }),
    );
    await expect(forge.merge({ pull, head })).rejects.toMatchObject({ kind: "unavailable", isApplied: "no" });
    expect(asked()).toEqual(["GET /repos/acme/tools", "PUT /repos/acme/tools/pulls/12/merge"]);
  });

  it("when a queue is looked for before", async () => {
    const queued = { isInMergeQueue: false, isMergeQueueEnabled: true, autoMergeRequest: null };
    const pullRequest = { id: "PR_1", state: "OPEN", headRefOid: head, mergeable: "MERGEABLE", ...queued };
    const { forge, asked } = connectSlow(
      ({ method }) =>
        jsonAnswer(method === "GET" ? found : { data: { repository: { autoMergeAllowed: true, pullRequest } } }),
      "forge",
    );
    await expect(forge.merge({ pull, head })).rejects.toMatchObject({ kind: "unavailable", isApplied: "no" });
    expect(asked()).toEqual(["GET /repos/acme/tools", "POST /graphql"]);
  });
});
