import { afterEach, describe, expect, it } from "vitest";
import { openStage, type Stage } from "./stage.ts";

const repo = "/repos/mia/tools";
const remark = { path: "a.txt", new_position: 2, body: "Why?" };

let stage: Stage;
afterEach(() => stage.gitea.close());

/** A thread of rita's, by the number of its first comment. */
async function openThread(version: string): Promise<number> {
  stage = await openStage({ version });
  await review(remark);
  return Number(stage.sandbox.look(stage.pull).threads[0]?.id);
}

async function review(comment: object, token = "rita") {
  const body = { event: "COMMENT", body: "", comments: [comment] };
  return (await stage.ask("POST", `${repo}/pulls/1/reviews`, { token, body })).body;
}

async function remarksOf(id: number) {
  return (await stage.ask("GET", `${repo}/pulls/1/reviews/${id}/comments`)).body;
}

function resolvingOf(comment: number): string {
  return `${repo}/pulls/comments/${comment}/resolve`;
}

describe("a thread", () => {
  it("is all that was said on a line, each part listed with its own review", async () => {
    await openThread("1.25.5");
    stage.pass(1_000);
    const reply = await review({ ...remark, body: "Because." }, "ada");
    const [thread, ...others] = stage.sandbox.look(stage.pull).threads;
    expect([thread?.comments.map(({ body }) => String(body)), others]).toEqual([["Why?", "Because."], []]);
    expect(await remarksOf(reply.id)).toMatchObject([
      { body: "Because.", position: 2, pull_request_review_id: reply.id, user: { login: "ada" } },
    ]);
    expect(reply.comments_count).toBe(1);
  });

  it("on the old side of the same line is another one", async () => {
    await openThread("1.25.5");
    await review({ path: "a.txt", old_position: 2, body: "Before?" });
    expect(stage.sandbox.look(stage.pull).threads).toHaveLength(2);
  });

  it("lists the replies of people with the review of the remark", async () => {
    const id = await openThread("1.25.5");
    const { threads, reviews } = stage.sandbox.look(stage.pull);
    if (threads[0] === undefined) throw new Error("no thread");
    await stage.ada.reply(stage.pull, threads[0].id, "Because.");
    const told = await remarksOf(Number(reviews[0]?.id));
    const sorted = told.toSorted((one: { id: number }, other: { id: number }) => one.id - other.id);
    expect(sorted).toMatchObject([
      { id, user: { login: "rita" } },
      { body: "Because.", user: { login: "ada" }, pull_request_review_id: Number(reviews[0]?.id) },
    ]);
  });

  it("stays where it is after a push, and shows its hunk", async () => {
    await openThread("1.25.5");
    const changes = { "a.txt": "new\nnew\none\nTWO\nthree\n" };
    const [before] = await remarksOf(Number(stage.sandbox.look(stage.pull).reviews[0]?.id));
    expect(before.diff_hunk).toMatch(/^@@ -1,3 \+1,3 @@\n one\n-two\n\+TWO/);
    await stage.ada.push({ repository: stage.repository, branch: "change", changes, message: "More" });
    const [after] = await remarksOf(Number(stage.sandbox.look(stage.pull).reviews[0]?.id));
    expect([after.position, after.commit_id]).toEqual([2, stage.head]);
  });
});

describe("resolving", () => {
  it.each(["1.26.0", "1.27.3"])("is there in %s, by the number of a comment, and twice is once", async (version) => {
    const id = await openThread(version);
    const at = `${repo}/pulls/comments/${id}`;
    for (let time = 0; time < 2; time++) expect((await stage.ask("POST", `${at}/resolve`)).status).toBe(204);
    const { reviews, threads } = stage.sandbox.look(stage.pull);
    expect(threads[0]?.isResolved).toBe(true);
    expect((await remarksOf(Number(reviews[0]?.id)))[0].resolver.login).toBe("rita");
    expect((await stage.ask("POST", `${at}/unresolve`)).status).toBe(204);
    expect((await remarksOf(Number(reviews[0]?.id)))[0].resolver).toBeNull();
    expect(stage.gitea.violations).toEqual([]);
  });

  it("is for writers and the author of the pull, and for remarks alone", async () => {
    const id = await openThread("1.26.0");
    expect((await stage.ask("POST", resolvingOf(id), { token: "otto" })).status).toBe(403);
    const comment = await stage.rita.comment(stage.pull, "Plain.");
    expect((await stage.ask("POST", resolvingOf(Number(comment)))).status).toBe(400);
    expect((await stage.ask("POST", resolvingOf(4711))).status).toBe(404);
    expect((await stage.ask("POST", resolvingOf(id), { token: "ada" })).status).toBe(204);
  });

  it.each([
    ["1.25.5", 404],
    ["11.0.0+gitea-1.22.0", 405],
  ])("is not there in %s, and nothing that a client should try", async (version, status) => {
    const id = await openThread(version);
    expect((await stage.ask("POST", `${repo}/pulls/comments/${id}/resolve`)).status).toBe(status);
    expect(stage.gitea.violations.join()).toContain(`is no operation that ${version} has`);
    const { paths } = Object(await (await fetch(`${stage.gitea.url}/swagger.v1.json`)).json());
    expect(Object.keys(paths)).not.toContain("/repos/{owner}/{repo}/pulls/comments/{id}/resolve");
  });
});

describe("replies", () => {
  it("have an address of their own from 1.27 on, and belong to the review of the remark", async () => {
    const id = await openThread("1.27.3");
    const path = `${repo}/pulls/1/comments/${id}/replies`;
    const { status, body } = await stage.ask("POST", path, { token: "drover", body: { body: "Because." } });
    const { threads, reviews } = stage.sandbox.look(stage.pull);
    expect([status, body.body, body.pull_request_review_id]).toEqual([201, "Because.", Number(reviews[0]?.id)]);
    expect([threads[0]?.comments.length, reviews.length]).toEqual([2, 1]);
    expect((await stage.ask("POST", `${repo}/pulls/1/comments/4711/replies`, { body: { body: "x" } })).status).toBe(
      404,
    );
    expect((await stage.ask("POST", path, { body: { body: "" } })).status).toBe(422);
    expect((await stage.ask("POST", `${repo}/pulls/2/comments/${id}/replies`, { body: { body: "x" } })).status).toBe(
      404,
    );
  });

  it.each(["1.25.5", "1.26.0"])("cannot be written before %s", async (version) => {
    const id = await openThread(version);
    const told = await stage.ask("POST", `${repo}/pulls/1/comments/${id}/replies`, { body: { body: "x" } });
    expect([told.status, stage.gitea.violations.length]).toEqual([404, 1]);
  });
});
