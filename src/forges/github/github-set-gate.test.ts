import { expect, it } from "vitest";
import { HeadSha } from "#core/model/ids.ts";
import { after, instant } from "#core/model/instant.ts";
import { type GithubAccess, plainTokens } from "#forges/github/github-access.ts";
import { createEtags } from "#forges/github/github-etags.ts";
import { githubLimits } from "#forges/github/github-limits.ts";
import { createRateLimits } from "#forges/github/github-rate-limits.ts";
import { setGate } from "#forges/github/github-set-gate.ts";
import type { Send } from "#forges/github/github-transport.ts";
import { somePull as pull } from "#testing/makers.ts";

const access: GithubAccess = { kind: "app", appId: "1", privateKey: "", installation: 17 };
const annotation = { path: "a.txt", lines: { first: 1, last: 1 }, level: "notice", words: "Hm." } as const;

it("annotations of a gate are no longer added when the time of one write is over", async () => {
  let now = instant(1_767_258_000_000);
  const sent: string[] = [];
  const sendRest: Send = async ({ method }) => {
    sent.push(method);
    now = after(now, githubLimits.writeTimeoutMs / 2);
    return { kind: "answered", status: 200, headers: {}, data: { id: 5 }, askedAt: now, heardAt: now };
  };
  const clock = { now: () => now, sleep: async () => undefined };
  const around = { tokens: plainTokens(access), budgets: createRateLimits(access), etags: createEtags() };
  const caller = { ...around, sendRest, sendGraphql: sendRest, clock, onSpent: () => undefined };
  const annotations = Array.from({ length: 3 * githubLimits.annotationsPerCallMax }, () => annotation);
  const head = HeadSha.parse("a".repeat(40));
  const setting = setGate(caller, { access }, { pull, head, state: "failure", words: "No.", annotations });
  await expect(setting).rejects.toMatchObject({ kind: "unavailable", isApplied: "unknown" });
  expect(sent).toEqual(["POST", "PATCH"]);
});
