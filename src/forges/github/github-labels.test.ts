import { expect, it } from "vitest";
import { after, instant } from "#core/model/instant.ts";
import { createGithubClient } from "#forges/github/github-client.ts";
import { githubLimits } from "#forges/github/github-limits.ts";
import { somePull as pull } from "#testing/makers.ts";
import { jsonAnswer, scriptedFetch } from "#testing/scripted-fetch.ts";

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

it("labels that are still there when the time of one write is over stay, and the write is done in part", async () => {
  const { forge, asked } = connectSlow(() => jsonAnswer([]));
  const editing = forge.editLabels({ pull, add: ["a"], remove: ["b", "c"] });
  await expect(editing).rejects.toMatchObject({ kind: "unavailable", isApplied: "unknown" });
  expect(asked()).toEqual(["POST", "DELETE"]);
});
