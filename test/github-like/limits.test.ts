import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hourMs } from "#core/model/instant.ts";
import type { Told } from "#forge-like/scene.ts";
import { openStage, type Stage } from "./stage.ts";

const comments = "/repos/mia/tools/issues/1/comments";

function limitsOf({ headers }: Told): readonly (string | null)[] {
  return ["limit", "used", "remaining", "resource"].map((name) => headers.get(`x-ratelimit-${name}`));
}

describe("the hour's allowance", () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStage({}, { perHourMax: { core: 3, graphql: 5 } });
  });
  afterEach(() => stage.github.close());

  it("is told with every answer, and its end with it", async () => {
    const told = await stage.ask("GET", comments);
    expect(limitsOf(told)).toEqual(["3", "1", "2", "core"]);
    expect(Number(told.headers.get("x-ratelimit-reset")) * 1000).toBe(Math.ceil(stage.now() / hourMs) * hourMs);
    expect(new Date(told.headers.get("date") ?? "").getTime()).toBe(stage.now() - (stage.now() % 1000));
  });

  it("is used up by requests, refused beyond, and there again in the next hour", async () => {
    for (let count = 0; count < 3; count++) await stage.ask("GET", comments);
    const refused = await stage.ask("GET", comments);
    expect([refused.status, ...limitsOf(refused)]).toEqual([403, "3", "3", "0", "core"]);
    expect(refused.body.message).toContain("API rate limit exceeded");
    stage.pass(hourMs);
    expect((await stage.ask("GET", comments)).status).toBe(200);
  });

  it("counts the points of GraphQL apart, and says so in an answer of 200", async () => {
    const query = `{ rateLimit { cost remaining } repository(owner: "mia", name: "tools") { pullRequest(number: 1) {
      reviewThreads(first: 100) { nodes { comments(first: 1) { nodes { id } } } }
      again: reviewThreads(first: 100) { nodes { comments(first: 1) { nodes { id } } } } } } }`;
    const told = await stage.graphql(query);
    expect(told.body.data.rateLimit).toEqual({ cost: 2, remaining: 3 });
    expect(limitsOf(told)).toEqual(["5", "2", "3", "graphql"]);
    expect(stage.github.requests.at(-1)).toMatchObject({ resource: "graphql", cost: 2 });
    await stage.graphql(query);
    await stage.graphql(query);
    const refused = await stage.graphql(query);
    expect([refused.status, refused.body.errors[0].type]).toEqual([200, "RATE_LIMITED"]);
    expect((await stage.ask("GET", comments)).status).toBe(200);
  });

  it("belongs to the account, not to the token", async () => {
    await stage.ask("GET", comments);
    stage.github.tokens.set("rita-2", stage.accounts.rita);
    expect(limitsOf(await stage.ask("GET", comments, { token: "rita-2" }))).toEqual(["3", "2", "1", "core"]);
    expect(limitsOf(await stage.ask("GET", comments, { token: "ada" }))).toEqual(["3", "1", "2", "core"]);
  });

  it("can be asked for without using it", async () => {
    await stage.ask("GET", comments);
    const { body } = await stage.ask("GET", "/rate_limit");
    expect([body.resources.core.used, body.resources.graphql.used]).toEqual([1, 0]);
    expect((await stage.ask("GET", "/rate_limit")).body.resources.core.used).toBe(1);
  });
});

describe("a tag", () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStage();
  });
  afterEach(() => stage.github.close());

  async function tagOf(token?: string): Promise<string> {
    return (await stage.ask("GET", comments, token === undefined ? {} : { token })).headers.get("etag") ?? "none";
  }

  it("spares whoever has it the answer, and the allowance", async () => {
    const etag = await tagOf();
    const told = await stage.ask("GET", comments, { headers: { "if-none-match": etag } });
    expect([told.status, told.body, told.headers.get("etag"), told.headers.get("x-ratelimit-used")]).toEqual([
      304,
      "",
      etag,
      "1",
    ]);
    expect(stage.github.requests.at(-1)).toMatchObject({ status: 304, cost: 0 });
  });

  it("no longer fits when something has changed", async () => {
    const etag = await tagOf();
    await stage.ada.comment(stage.pull, "New.");
    expect((await stage.ask("GET", comments, { headers: { "if-none-match": etag } })).status).toBe(200);
  });

  it("is bound to the token: another one gets the whole answer", async () => {
    const headers = { "if-none-match": await tagOf("ada") };
    expect((await stage.ask("GET", comments, { headers })).status).toBe(200);
    expect((await stage.ask("GET", comments, { headers, token: "ada" })).status).toBe(304);
    expect(stage.github.violations).toEqual([]);
  });
});
