import { expect, it } from "vitest";
import type { GithubAccess } from "#forges/github/github-access.ts";
import { createRateLimits } from "#forges/github/github-rate-limits.ts";
import type { TransportResponse } from "#forges/github/github-transport.ts";
import { at } from "#testing/makers.ts";

const app = (installation: number | null): GithubAccess => ({ kind: "app", appId: "1", privateKey: "", installation });

function leaving(left: number, resource = "core"): TransportResponse {
  const headers = { limit: 5_000, remaining: left, reset: 0, resource };
  const named = Object.entries(headers).map(([name, value]) => [`x-ratelimit-${name}`, value]);
  return {
    kind: "answered",
    status: 200,
    headers: Object.fromEntries(named),
    data: null,
    askedAt: at(0),
    heardAt: at(0),
  };
}

it("each account that has installed the App has a rate limit of its own", () => {
  const budgets = createRateLimits(app(null));
  budgets.hear(leaving(0), "acme/tools");
  budgets.hear(leaving(4_000), "other/tools");
  budgets.hear(leaving(3_000, "graphql"), "Other/more");
  expect(budgets.find("other/third")).toMatchObject({ left: 3_000 });
  expect(budgets.find("acme/second")).toMatchObject({ left: 0 });
  expect(budgets.find("nobody/tools")).toBeNull();
  expect(budgets.find(null)).toMatchObject({ left: 0 });
});

it.each([{ kind: "token", token: "t" } as const, app(17)])(
  "all repositories share one rate limit with the credentials %j",
  (access) => {
    const budgets = createRateLimits(access);
    budgets.hear(leaving(4_000), "acme/tools");
    budgets.hear(leaving(3_999), "other/tools");
    expect(budgets.find("acme/tools")).toMatchObject({ left: 3_999 });
  },
);
