import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Told } from "#forge-like/scene.ts";
import type { ReviewRemark } from "#ports/forge.ts";
import { openStage, type Stage } from "./stage.ts";

const repo = "/repos/mia/tools";
const remark: ReviewRemark = { path: "a.txt", side: "new", lines: { first: 2, last: 2 }, body: "Why?" };

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(async () => {
  await stage.github.close();
  const { violations } = stage.github;
  if (violations.length > 0) throw new Error(violations.join("\n"));
});

function post(body: object, token = "rita"): Promise<Told> {
  return stage.ask("POST", `${repo}/pulls/1/reviews`, { token, body });
}

function askAsApp(method: string, path: string, body?: object): Promise<Told> {
  return stage.ask(method, path, { token: "drover", ...(body !== undefined && { body }) });
}

function merge(body: object): Promise<Told> {
  return stage.ask("PUT", `${repo}/pulls/1/merge`, { body });
}

describe("the numbers of comments", () => {
  it("collide: the same one is a comment of the conversation and one of a thread", async () => {
    await stage.rita.comment(stage.pull, "In the conversation.");
    await stage.rita.review(stage.pull, { event: "comment", body: "", remarks: [remark] });
    const [talk] = (await stage.ask("GET", `${repo}/issues/1/comments`)).body;
    const [inThread] = (await stage.ask("GET", `${repo}/pulls/1/comments`)).body;
    expect(talk.id).toBe(inThread.id);
    expect(talk.node_id).not.toBe(inThread.node_id);
    await stage.ask("PATCH", `${repo}/pulls/comments/${talk.id}`, { body: { body: "Changed." } });
    const { comments, threads } = stage.sandbox.look(stage.pull);
    expect([comments[0]?.body, threads[0]?.comments[0]?.body]).toEqual(["In the conversation.", "Changed."]);
  });

  it("grow with time, whoever looked first, and lead back to the comment", async () => {
    const early = await stage.ada.comment(stage.pull, "Early.");
    const { body } = await stage.ask("POST", `${repo}/issues/1/comments`, { body: { body: "Late." } });
    expect(stage.github.commentNumber("issue", early)).toBeLessThan(body.id);
    expect(stage.github.findComment("issue", body.id)).toBe(stage.sandbox.look(stage.pull).comments[1]?.id);
    expect(stage.github.findComment("review", body.id)).toBeUndefined();
  });

  it("are the same in both APIs", async () => {
    const { body } = await stage.ask("POST", `${repo}/issues/1/comments`, { body: { body: "Hello." } });
    const query = `{ repository(owner: "mia", name: "tools") { pullRequest(number: 1) { comments(first: 1) { nodes { id databaseId fullDatabaseId } } } } }`;
    const [node] = (await stage.graphql(query)).body.data.repository.pullRequest.comments.nodes;
    expect(node).toEqual({ id: body.node_id, databaseId: body.id, fullDatabaseId: String(body.id) });
  });
});

describe("a review", () => {
  it("is refused as a whole for one line outside of the diff, without saying which", async () => {
    const good = { path: "a.txt", line: 2, side: "RIGHT", body: "Good." };
    const told = await post({ body: "Hm.", event: "COMMENT", comments: [good, { ...good, path: "b/c.txt", line: 1 }] });
    expect([told.status, told.body.errors]).toEqual([422, ["Line could not be resolved"]]);
    expect(stage.sandbox.look(stage.pull)).toMatchObject({ reviews: [], threads: [] });
  });

  it("without an event is pending: its author sees it, and nobody else", async () => {
    const { body } = await post({ body: "Not yet.", comments: [{ path: "a.txt", line: 2, body: "Hm." }] });
    expect(body).toMatchObject({ state: "PENDING", body: "Not yet." });
    expect((await stage.ask("GET", `${repo}/pulls/1/reviews`)).body).toHaveLength(1);
    expect((await stage.ask("GET", `${repo}/pulls/1/reviews`, { token: "ada" })).body).toEqual([]);
    expect((await stage.ask("GET", `${repo}/pulls/1/comments`, { token: "ada" })).body).toEqual([]);
    expect((await stage.ask("DELETE", `${repo}/pulls/1/reviews/${body.id}`, { token: "ada" })).status).toBe(404);
    expect((await post({ body: "Another.", event: "COMMENT" })).status).toBe(422);
    expect((await stage.ask("DELETE", `${repo}/pulls/1/reviews/${body.id}`)).status).toBe(200);
    expect((await post({ body: "Another.", event: "COMMENT" })).status).toBe(200);
  });

  it("keeps its verdict when its text changes, and is never deleted once submitted", async () => {
    const { body } = await post({ body: "No.", event: "REQUEST_CHANGES" });
    const edited = await stage.ask("PUT", `${repo}/pulls/1/reviews/${body.id}`, { body: { body: "No, no." } });
    expect(edited.body).toMatchObject({ state: "CHANGES_REQUESTED", body: "No, no." });
    expect((await stage.ask("DELETE", `${repo}/pulls/1/reviews/${body.id}`)).status).toBe(422);
    const dismissed = await stage.ask("PUT", `${repo}/pulls/1/reviews/${body.id}/dismissals`, {
      body: { message: "Fine." },
    });
    expect(dismissed.body.state).toBe("DISMISSED");
    const again = await stage.ask("PUT", `${repo}/pulls/1/reviews/${body.id}/dismissals`, {
      body: { message: "Fine." },
    });
    expect(again.status).toBe(422);
  });

  it("with a verdict is refused on one's own pull", async () => {
    const told = await post({ body: "Good.", event: "APPROVE" }, "ada");
    expect(told.status).toBe(422);
  });

  it("is answered at its first remark, and only there", async () => {
    await stage.rita.review(stage.pull, { event: "comment", body: "", remarks: [remark] });
    const [first] = (await stage.ask("GET", `${repo}/pulls/1/comments`)).body;
    const reply = await stage.ask("POST", `${repo}/pulls/1/comments/${first.id}/replies`, { body: { body: "So." } });
    expect(reply.body).toMatchObject({ in_reply_to_id: first.id, path: "a.txt" });
    const second = await stage.ask("POST", `${repo}/pulls/1/comments/${reply.body.id}/replies`, {
      body: { body: "So." },
    });
    expect(second.status).toBe(404);
  });
});

describe("a reaction", () => {
  it("is made once: 201 first, 200 ever after", async () => {
    const { body } = await stage.ask("POST", `${repo}/issues/1/comments`, { body: { body: "Hello." } });
    const path = `${repo}/issues/comments/${body.id}/reactions`;
    const first = await stage.ask("POST", path, { body: { content: "eyes" } });
    const second = await stage.ask("POST", path, { body: { content: "eyes" } });
    expect([first.status, second.status, first.body.id === second.body.id]).toEqual([201, 200, true]);
    expect((await stage.ask("GET", path)).body).toHaveLength(1);
  });
});

describe("a gate", () => {
  const at = `${repo}/check-runs`;

  it("is a run that is changed, or another that takes its place", async () => {
    const made = await askAsApp("POST", at, { name: "drover", head_sha: stage.head, status: "in_progress" });
    const output = { title: "Fine", summary: "All is well." };
    await askAsApp("PATCH", `${at}/${made.body.id}`, { status: "completed", conclusion: "success", output });
    const list = `${repo}/commits/${stage.head}/check-runs`;
    const [run] = (await askAsApp("GET", list)).body.check_runs;
    expect(run).toMatchObject({ id: made.body.id, conclusion: "success", output, app: { id: stage.github.app.id } });
    const next = await askAsApp("POST", at, { name: "drover", head_sha: stage.head, conclusion: "neutral", output });
    const { body } = await askAsApp("GET", list);
    expect([body.total_count, body.check_runs[0].id, body.check_runs[0].conclusion]).toEqual([
      1,
      next.body.id,
      "neutral",
    ]);
    expect(stage.sandbox.look(stage.pull).gates.map(({ state }) => state)).toEqual(["pending", "success", "neutral"]);
  });

  it("has a title of 255 characters at most", async () => {
    const output = { title: "x".repeat(256), summary: "" };
    expect((await askAsApp("POST", at, { name: "drover", head_sha: stage.head, output })).status).toBe(422);
  });

  it("of a person is a status of 140 characters at most", async () => {
    const path = `${repo}/statuses/${stage.head}`;
    const status = { state: "success", context: "drover" };
    expect((await stage.ask("POST", path, { body: { ...status, description: "x".repeat(141) } })).status).toBe(422);
    expect((await stage.ask("POST", path, { body: { ...status, description: "x".repeat(140) } })).status).toBe(201);
    const { body } = await stage.ask("GET", `${repo}/commits/${stage.head}/status`);
    expect([body.state, body.statuses.length]).toEqual(["success", 1]);
  });
});

describe("a merge", () => {
  it("takes the head that it was told, or none", async () => {
    const moved = await merge({ sha: "a".repeat(40) });
    expect([moved.status, moved.body.message]).toEqual([409, expect.stringContaining("Head branch was modified")]);
    await stage.ada.editPull(stage.pull, { isDraft: true });
    expect((await merge({ sha: stage.head })).status).toBe(405);
    await stage.ada.editPull(stage.pull, { isDraft: false });
    const { body } = await merge({ sha: stage.head });
    expect(body).toEqual({
      sha: stage.sandbox.look(stage.pull).merged?.commit,
      merged: true,
      message: expect.any(String),
    });
    expect((await merge({ sha: stage.head })).status).toBe(405);
  });
});

describe("a file", () => {
  it("is told as it is in a commit, with or without a newline at its end", async () => {
    await stage.ada.push({
      repository: stage.repository,
      branch: "change",
      changes: { "d.txt": "-- one\n\ntwo" },
      message: "More",
    });
    const read = async (query: string) => {
      const { body } = await stage.ask("GET", `${repo}/contents/${query}`);
      return Buffer.from(body.content, "base64").toString();
    };
    expect(await read("a.txt")).toBe("one\ntwo\nthree\n");
    expect(await read("a.txt?ref=change")).toBe("one\nTWO\nthree\n");
    expect(await read("d.txt?ref=change")).toBe("-- one\n\ntwo");
    expect((await stage.ask("GET", `${repo}/contents/none.txt`)).status).toBe(404);
  });

  it("of a pull is told with its patch, and the whole as a diff", async () => {
    const [file] = (await stage.ask("GET", `${repo}/pulls/1/files`)).body;
    expect(file).toMatchObject({ filename: "a.txt", status: "modified", additions: 1, deletions: 1 });
    expect(file.patch).toBe("@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three");
    const diff = await stage.ask("GET", `${repo}/pulls/1`, { headers: { accept: "application/vnd.github.diff" } });
    expect(diff.body).toContain("diff --git a/a.txt b/a.txt");
  });
});
