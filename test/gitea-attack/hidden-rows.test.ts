import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createGiteaClient } from "#forges/gitea/gitea-client.ts";
import { openStage, type Stage } from "#gitea-like/stage.ts";
import type { Forge } from "#ports/forge.ts";

const repo = "/repos/mia/tools";
const remark = { path: "a.txt", new_position: 2, body: "Not said yet." };

/**
 * Remarks of a review that somebody has begun and not submitted take rows of the timeline, and nobody else is told of
 * them: whoever opens a pull could have put everything that is said later out of Drover's sight.
 */
describe.each(["1.25.5", "1.27.3"])("behind rows that nobody tells of, version %s", (version) => {
  let stage: Stage;
  let forge: Forge;
  beforeEach(async () => {
    stage = await openStage({ version });
    const clock = { now: () => stage.now(), sleep: async () => undefined };
    forge = createGiteaClient({ url: stage.gitea.url, token: "drover", clock });
  });
  afterEach(() => stage.gitea.close());

  async function hide(rows: number): Promise<void> {
    const body = { event: "PENDING", body: "Later.", comments: Array.from({ length: rows }, () => remark) };
    const { status } = await stage.ask("POST", `${repo}/pulls/1/reviews`, { token: "ada", body });
    expect(status).toBe(200);
    const { body: page } = await stage.ask("GET", `${repo}/issues/1/timeline?page=2&limit=50`, { token: "drover" });
    expect(page).toBeNull();
  }

  it("comments are seen, those of people and our own", async () => {
    await hide(100);
    await stage.rita.comment(stage.pull, "Hold this.");
    const own = await forge.createComment({ pull: stage.pull, body: "Held." });
    const { comments, limitsReached } = await forge.fetchPull(stage.pull);
    expect(comments.map(({ body }) => body)).toEqual(["Hold this.", "Held."]);
    expect(comments[1]?.id).toBe(own);
    expect(limitsReached).toEqual([]);
  });

  it("the text of a review is the one that people see, and can be changed", async () => {
    await hide(100);
    const head = stage.head;
    const review = await forge.submitReview({ pull: stage.pull, head, event: "comment", body: "One.", remarks: [] });
    await forge.editReview({ pull: stage.pull, review, body: "Two." });
    expect((await forge.fetchPull(stage.pull)).reviews.map(({ body }) => body)).toEqual(["Two."]);
  });

  it("that are more than anybody reads, a dismissed approval may be hidden, and that is told", async () => {
    await hide(1_100);
    await stage.rita.review(stage.pull, { event: "approve", body: "Fine." });
    expect((await forge.fetchPull(stage.pull)).limitsReached).toEqual(["reviewsMax"]);
  });

  it("a new base is noticed, whoever speaks last", async () => {
    await stage.ada.push({ repository: stage.repository, branch: "scratch", changes: {}, message: "Branch" });
    const before = (await forge.fetchPull(stage.pull)).pull.base.since;
    await hide(100);
    stage.pass(60_000);
    await stage.ask("PATCH", `${repo}/pulls/1`, { token: "ada", body: { base: "scratch" } });
    await stage.rita.comment(stage.pull, "Why?");
    const { base } = (await forge.fetchPull(stage.pull)).pull;
    expect(base.branch).toBe("scratch");
    expect(base.since === null || base.since > (before ?? 0)).toBe(true);
  });
});
