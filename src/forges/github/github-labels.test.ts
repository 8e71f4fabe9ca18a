import { expect, it } from "vitest";
import { RepositoryId } from "#core/model/ids.ts";
import { after, instant } from "#core/model/instant.ts";
import { createGithubClient } from "#forges/github/github-client.ts";
import { githubLimits } from "#forges/github/github-limits.ts";
import { jsonAnswer, scriptedFetch } from "#testing/scripted-fetch.ts";

const pull = { repository: { id: RepositoryId.parse("7"), name: "acme/tools" }, number: 12 };

/** A GitHub that takes half the time of a write for every answer. */
function connectSlow(answer: () => Response) {
  let now = instant(1_767_258_000_000);
  const { fetch, heard } = scriptedFetch(() => {
    now = after(now, githubLimits.writeTimeoutMs / 2);
    return answer();
  });
  const clock = { now: () => now, sleep: async () => undefined };
  const access = { kind: "token", token: "ghp_secret" } as const;
  const forge = createGithubClient({ url: "https://api.test", access, clock, fetch });
  return { forge, asked: () => heard.map(({ method }) => method) };
}

it("takes off nothing any more when the time of one write is over, and then has done it in part", async () => {
  const { forge, asked } = connectSlow(() => jsonAnswer([]));
  const editing = forge.editLabels({ pull, add: ["a"], remove: ["b", "c"] });
  await expect(editing).rejects.toMatchObject({ kind: "unavailable", isApplied: "unknown" });
  expect(asked()).toEqual(["POST", "DELETE"]);
});
