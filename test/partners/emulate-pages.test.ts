import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { createSystemClock } from "#app/system-clock.ts";
import { boundedFetch, environmentFetch } from "#forges/bounded-fetch.ts";
import { isSuccess } from "#forges/forge-response.ts";
import { createApp } from "#forges/github/github-app.ts";
import { githubLimits } from "#forges/github/github-limits.ts";
import { walkPages } from "#forges/github/github-pages.ts";
import { permissionsFor } from "#forges/github/github-rights.ts";
import { createSend, type Send } from "#forges/github/github-transport.ts";
import { type EmulateWorld, openEmulateWorld, popularApp } from "./emulate-world.ts";

/**
 * Lists as another project pages them. It has the installations of an App in one piece, whatever page is asked for, and no
 * list of the repositories of one; the walker that the client reads both with is shown on comments as well, which it pages.
 */
let world: EmulateWorld;
let send: Send;

beforeAll(async () => {
  world = await openEmulateWorld();
  const fetch = boundedFetch(environmentFetch(), githubLimits.answerBytesMax);
  send = createSend({ baseUrl: world.url, fetch, clock: createSystemClock() });
});

afterAll(async () => {
  await world.close();
});

const Comment = z.object({ id: z.number(), body: z.string() });
const CommentPage = z.array(Comment);

/** What the walker finds, and the lengths of the pages that it was given. */
async function walkComments(pull: number) {
  const app = createApp({ access: world.access, send });
  const narrowed = { permissions: permissionsFor.look };
  const { token } = await app.createToken({ where: "mia/tools", installation: 17, narrowed });
  const pages: number[] = [];
  const { entries, isCut } = await walkPages<z.infer<typeof Comment>>({
    keyOf: ({ id }) => id,
    async fetchPage(page) {
      const answer = await send({
        method: "GET",
        path: "/repos/{owner}/{repo}/issues/{issue_number}/comments",
        params: { owner: "mia", repo: "tools", issue_number: pull, ...page },
        headers: { authorization: `bearer ${token}` },
        timeoutMs: githubLimits.readTimeoutMs,
      });
      if (!isSuccess(answer)) throw new Error("emulate gave no comments");
      const comments = CommentPage.parse(answer.data);
      pages.push(comments.length);
      return { entries: comments, answer };
    },
  });
  return { bodies: entries.map(({ body }) => body), pages, isCut };
}

async function say(pull: number, count: number): Promise<readonly string[]> {
  const bodies = Array.from({ length: count }, (_, index) => `Comment ${index + 1}`);
  for (const body of bodies) {
    const { status } = await world.ask("POST", `/repos/mia/tools/issues/${pull}/comments`, { body });
    expect(status).toBe(201);
  }
  return bodies;
}

describe("a list that emulate pages", () => {
  it.each([
    ["of more than two pages", 230, [100, 100, 30]],
    ["that ends where a page does", 200, [100, 100]],
    ["of one page that is full", 100, [100, 0]],
    ["of one entry", 1, [1]],
    ["of none", 0, [0]],
  ])("is read to its end, each entry once and in order: one %s", async (_, count, pages) => {
    const { pull } = await world.openPull();
    const bodies = await say(pull.number, count);
    expect(await walkComments(pull.number)).toEqual({ bodies, pages, isCut: false });
  });
});

describe("the installations of an App at emulate", () => {
  it("are listed once each, however many pages are asked for", async () => {
    const app = createApp({ access: { ...world.access, appId: String(popularApp.id) }, send });
    const { ids, isCut } = await app.listInstallations();
    expect(ids).toEqual(popularApp.installations.map(({ installation_id: id }) => id));
    expect(isCut).toBe(false);
  });

  it("begin with the first one for whoever needs any", async () => {
    const app = createApp({ access: { ...world.access, appId: String(popularApp.id) }, send });
    expect(await app.fetchFirstInstallation()).toBe(popularApp.installations[0]?.installation_id);
  });
});
