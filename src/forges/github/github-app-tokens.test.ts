import { expect, test } from "vitest";
import { formatInstant, hourMs, instant } from "#core/model/instant.ts";
import type { GithubApp } from "#forges/github/github-app.ts";
import { createAppTokens } from "#forges/github/github-app-tokens.ts";
import { createVirtualClock } from "#testing/virtual-clock.ts";

test("whoever keeps secrets back is told of each token that is made, and of none twice", async () => {
  const clock = createVirtualClock(instant(0));
  const told: string[] = [];
  let made = 0;
  const createToken: GithubApp["createToken"] = async () => {
    const askedAt = clock.now();
    const answer = { kind: "answered", status: 201, headers: {}, data: {}, askedAt, heardAt: askedAt } as const;
    return { token: `ghs_${++made}`, expires_at: formatInstant(instant(askedAt + hourMs)), answer };
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- with a known installation nothing else is asked for.
  const app = { createToken } as unknown as GithubApp;
  const onToken = (token: string): number => told.push(token);
  const access = { kind: "app", appId: "1", privateKey: "", installation: 7, onToken } as const;
  const tokens = createAppTokens({ access, clock }, app);
  const scope = { rights: "change", repository: { name: "acme/tools", id: "1" } } as const;
  for (let times = 0; times < 2; times++) expect((await tokens.tokenFor(scope)).value).toBe("ghs_1");
  await clock.advance(2 * hourMs);
  expect((await tokens.tokenFor(scope)).value).toBe("ghs_2");
  expect(told).toEqual(["ghs_1", "ghs_2"]);
});
