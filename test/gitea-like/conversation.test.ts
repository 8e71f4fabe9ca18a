import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStage, type Stage } from "./stage.ts";

const repo = "/repos/mia/tools";
const comments = `${repo}/issues/1/comments`;

describe("comments", () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStage();
  });
  afterEach(() => stage.gitea.close());

  it("are numbered together with the remarks and the texts of reviews", async () => {
    const { body: comment } = await stage.ask("POST", comments, { body: { body: "Hello." } });
    const made = { event: "COMMENT", body: "Hm.", comments: [{ path: "a.txt", new_position: 2, body: "Why?" }] };
    const { body: review } = await stage.ask("POST", `${repo}/pulls/1/reviews`, { body: made });
    const [remark] = (await stage.ask("GET", `${repo}/pulls/1/reviews/${review.id}/comments`)).body;
    const text = Number(/issuecomment-(\d+)$/.exec(review.html_url)?.[1]);
    expect(new Set([comment.id, remark.id, text]).size).toBe(3);
    for (const [id, before] of [
      [comment.id, "Hello."],
      [remark.id, "Why?"],
      [text, "Hm."],
    ]) {
      const path = `${repo}/issues/comments/${id}`;
      expect((await stage.ask("PATCH", path, { body: { body: `${before} Edited.` } })).body.id).toBe(id);
    }
    const { comments: plain, threads, reviews } = stage.sandbox.look(stage.pull);
    expect([plain[0]?.body, threads[0]?.comments[0]?.body, reviews[0]?.body]).toEqual([
      "Hello. Edited.",
      "Why? Edited.",
      "Hm. Edited.",
    ]);
  });

  it("are plain ones alone where they are listed, and all at once", async () => {
    for (let index = 0; index < 60; index++) await stage.rita.comment(stage.pull, `Comment ${index}.`);
    await stage.rita.review(stage.pull, { event: "comment", body: "A review." });
    const { body, headers } = await stage.ask("GET", comments);
    expect([body.length, headers.get("x-total-count"), headers.get("link")]).toEqual([60, "60", null]);
  });

  it("are listed since some time by their last change", async () => {
    await stage.rita.comment(stage.pull, "Old.");
    stage.pass(60_000);
    const since = new Date(stage.now()).toISOString().replace(/\.\d+/, "");
    await stage.rita.comment(stage.pull, "New.");
    const { body } = await stage.ask("GET", `${comments}?since=${since}`);
    expect(body.map((comment: { body: string }) => comment.body)).toEqual(["New."]);
  });

  it("of others are changed and deleted by writers, and by nobody else", async () => {
    const id = await stage.ada.comment(stage.pull, "Of ada.");
    const path = `${repo}/issues/comments/${id}`;
    const refused = await stage.ask("PATCH", path, { token: "otto", body: { body: "x" } });
    expect([refused.status, refused.body]).toEqual([403, ""]);
    expect((await stage.ask("PATCH", path, { body: { body: "Of rita." } })).status).toBe(200);
    expect((await stage.ask("DELETE", path, { token: "otto" })).status).toBe(403);
    expect((await stage.ask("DELETE", path)).status).toBe(204);
    expect((await stage.ask("DELETE", path)).status).toBe(404);
  });

  it("need a text", async () => {
    expect((await stage.ask("POST", comments, { body: { body: "" } })).status).toBe(422);
    expect((await stage.ask("POST", comments, { body: {} })).status).toBe(422);
  });

  it("have whole seconds, and users without a type", async () => {
    const { body } = await stage.ask("POST", comments, { token: "drover", body: { body: "Hello." } });
    expect([body.created_at, body.updated_at]).toEqual(["2026-01-01T09:01:00Z", "2026-01-01T09:01:00Z"]);
    expect(body.user).toMatchObject({ id: Number(stage.accounts.drover.id), login: "drover", username: "drover" });
    expect(Object.keys(body.user)).not.toContain("type");
  });
});

function reactionsOf(comment: string): string {
  return `${repo}/issues/comments/${comment}/reactions`;
}

describe("reactions", () => {
  const onPull = `${repo}/issues/1/reactions`;
  const heart = { body: { content: "heart" } };

  it.each([
    ["1.25.5", 200],
    ["1.27.3", 204],
  ])("of %s have no number: once is 201, twice 200, and gone %d", async (version, gone) => {
    const stage = await openStage({ version });
    expect((await stage.ask("GET", onPull)).body).toBeNull();
    const first = await stage.ask("POST", onPull, heart);
    const again = await stage.ask("POST", onPull, heart);
    expect([first.status, again.status, Object.keys(first.body)]).toEqual([
      201,
      200,
      ["user", "content", "created_at"],
    ]);
    expect((await stage.ask("GET", onPull)).body).toEqual([first.body]);
    for (let time = 0; time < 2; time++) {
      const told = await stage.ask("DELETE", onPull, heart);
      expect([told.status, told.body]).toEqual([gone, ""]);
    }
    expect(stage.sandbox.look(stage.pull).reactions).toEqual([]);
    await stage.gitea.close();
  });

  it("on comments are kept apart from each other and from those on the pull", async () => {
    const stage = await openStage();
    const [one, other] = [await stage.ada.comment(stage.pull, "One."), await stage.ada.comment(stage.pull, "Other.")];
    expect((await stage.ask("POST", reactionsOf(one), heart)).status).toBe(201);
    expect((await stage.ask("POST", reactionsOf(one), heart)).status).toBe(200);
    expect((await stage.ask("POST", reactionsOf(other), heart)).status).toBe(201);
    await stage.ask("DELETE", reactionsOf(one), heart);
    expect((await stage.ask("GET", reactionsOf(one))).body).toBeNull();
    expect((await stage.ask("GET", reactionsOf(other))).body).toHaveLength(1);
    expect((await stage.ask("GET", onPull)).body).toBeNull();
    expect((await stage.ask("POST", reactionsOf("4711"), heart)).status).toBe(404);
    await stage.gitea.close();
  });

  it("that the operator did not allow are refused", async () => {
    const stage = await openStage();
    expect((await stage.ask("POST", onPull, { body: { content: "unicorn" } })).status).toBe(403);
    await stage.gitea.close();
  });
});

function push(commits: readonly string[], isForced = false): string {
  return JSON.stringify({ is_force_push: isForced, commit_ids: commits });
}

describe("the timeline", () => {
  interface Line {
    readonly type: string;
    readonly body: string;
    readonly [field: string]: unknown;
  }

  it("tells what was done, each kind with fields of its own", async () => {
    const stage = await openStage();
    const { ada, rita, pull, repository, head, accounts } = stage;
    stage.pass(1_000);
    await ada.editPull(pull, { title: "Better" });
    await ada.editPull(pull, { isDraft: true });
    await ada.editPull(pull, { isDraft: false, labels: ["bug"] });
    await ada.push({ repository, branch: "old", changes: { "z.txt": "z\n" }, message: "Old" });
    await ada.editPull(pull, { base: "old" });
    await ada.editPull(pull, { labels: [], base: "main" });
    const next = await ada.push({ repository, branch: "change", changes: { "e.txt": "e\n" }, message: "More" });
    await ada.forcePush({ repository, branch: "change", to: head });
    await ada.editPull(pull, { state: "closed" });
    await ada.editPull(pull, { state: "open" });
    await stage.ask("POST", `${repo}/pulls/1/requested_reviewers`, { body: { reviewers: ["mia"] } });
    await rita.comment(pull, "Said.");
    stage.pass(10_000);
    await rita.merge(pull);
    const lines: readonly Line[] = (await stage.ask("GET", `${repo}/issues/1/timeline?limit=50`)).body;
    const told = lines.map((line) => {
      const { type, body, old_title, new_title, old_ref, new_ref, label, assignee } = line;
      const names = [label, assignee].map((thing) => (thing === null ? "" : Object.values(Object(thing))[1]));
      return [type, body, old_title, new_title, old_ref, new_ref, ...names].filter((word) => word !== "");
    });
    expect(told).toEqual([
      ["pull_push", push([head])],
      ["comment", "Said."],
      ["change_title", "A change", "Better"],
      ["change_title", "Better", "WIP: Better"],
      ["change_title", "WIP: Better", "Better"],
      ["label", "1", "bug"],
      ["change_target_branch", "main", "old"],
      ["change_target_branch", "old", "main"],
      ["label", "bug"],
      ["pull_push", push([next])],
      ["pull_push", push([next, head], true)],
      ["close"],
      ["reopen"],
      ["review_request", accounts.mia.login],
      ["merge_pull"],
    ]);
    expect(stage.gitea.violations).toEqual([]);
    await stage.gitea.close();
  });

  it("has short pages and empty ones in the middle, where remarks were left out, and the total of each page", async () => {
    const stage = await openStage();
    const remarks = Array.from({ length: 6 }, (_, index) => ({ path: "a.txt", new_position: 2, body: `R${index}` }));
    stage.pass(1_000);
    await stage.ask("POST", `${repo}/pulls/1/reviews`, { body: { event: "COMMENT", body: "x", comments: remarks } });
    stage.pass(1_000);
    await stage.rita.comment(stage.pull, "Last.");
    const pages: unknown[] = [];
    for (let page = 1; page <= 5; page++) {
      const { body, headers } = await stage.ask("GET", `${repo}/issues/1/timeline?limit=2&page=${page}`);
      pages.push([body?.map((line: Line) => line.type) ?? null, headers.get("x-total-count")]);
    }
    expect(pages).toEqual([
      [["pull_push"], "1"],
      [null, "0"],
      [null, "0"],
      [["review"], "1"],
      [["comment"], "1"],
    ]);
    await stage.gitea.close();
  });
});
