import { describe, expect, it } from "vitest";
import { HeadSha, RepositoryId, ThreadId } from "#core/model/ids.ts";
import { createGiteaClient } from "#forges/gitea/gitea-client.ts";
import { replyMark } from "#forges/gitea/gitea-threads.ts";
import { answersByName, type HeardRequest, type ScriptedAnswer } from "#testing/scripted-fetch.ts";
import { stillClock } from "#testing/still-clock.ts";

const pull = { repository: { id: RepositoryId.parse("7"), name: "mia/tools" }, number: 12 };
const [head, other] = [HeadSha.parse("a".repeat(40)), HeadSha.parse("b".repeat(40))];
const time = "2026-01-01T10:00:00Z";
const bot = { id: 3, login: "drover" };
const api = "/api/v1/repos/mia/tools";
const branch = { label: "parser", ref: "parser", sha: head, repo_id: 7 };
const wirePull = {
  number: 12,
  title: "Add a parser",
  user: { id: 5, login: "rita" },
  state: "open",
  merged: false,
  merge_commit_sha: null,
  head: branch,
  base: branch,
  created_at: time,
  updated_at: time,
};

function wireReview(id: number, change: object = {}): object {
  const html_url = `https://git.test/mia/tools/pulls/12#issuecomment-${id + 100}`;
  const review = { id, user: bot, state: "COMMENT", body: "A look.", commit_id: head, comments_count: 0 };
  return { ...review, submitted_at: time, html_url, ...change };
}

function connect(answers: Readonly<Record<string, ScriptedAnswer>>) {
  const { fetch, heard } = answersByName(answers);
  const clock = stillClock(0);
  return { forge: createGiteaClient({ url: "https://git.test", token: "t", clock, fetch }), heard };
}

function bodyOf(heard: readonly HeardRequest[], name: string): unknown {
  return heard.find(({ method, path }) => `${method} ${path}` === name)?.body;
}

const ready = {
  [`GET ${api}/pulls/12`]: wirePull,
  [`GET ${api}/pulls/12/reviews`]: [],
  [`POST ${api}/pulls/12/reviews`]: wireReview(20, { state: "APPROVED" }),
  "GET /api/v1/user": bot,
};

describe("a reply on Gitea", () => {
  const remark = {
    id: 41,
    user: bot,
    body: "Hm.",
    path: "a.ts",
    position: 0,
    original_position: 9,
    created_at: time,
    updated_at: time,
  };
  const reply = { pull, thread: ThreadId.parse("41"), body: "Because." };

  it("is a review on the same line before 1.27, of the commit that the thread is about", async () => {
    const { forge, heard } = connect({
      ...ready,
      "GET /api/v1/version": { version: "1.25.5" },
      [`GET ${api}/pulls/12/reviews`]: [wireReview(8, { comments_count: 1, commit_id: other })],
      [`GET ${api}/pulls/12/reviews/8/comments`]: [remark],
      [`GET ${api}/git/commits/${other}`]: { sha: other },
      [`GET ${api}/pulls/12/reviews/20/comments`]: [{ ...remark, id: 60, body: "Because." }],
    });
    expect(await forge.replyInThread(reply)).toBe("60");
    expect(bodyOf(heard, `POST ${api}/pulls/12/reviews`)).toEqual({
      commit_id: other,
      event: "COMMENT",
      body: replyMark(41),
      comments: [{ path: "a.ts", old_position: 9, body: "Because." }],
    });
  });

  it("is what it is from 1.27 on", async () => {
    const paths = { "/repos/{owner}/{repo}/pulls/{index}/comments/{id}/replies": {} };
    const { forge, heard } = connect({
      "GET /api/v1/version": { version: "1.27.3" },
      "GET /swagger.v1.json": { paths },
      [`POST ${api}/pulls/12/comments/41/replies`]: [201, { id: 60 }],
    });
    expect(await forge.replyInThread(reply)).toBe("60");
    expect(bodyOf(heard, `POST ${api}/pulls/12/comments/41/replies`)).toEqual({ body: "Because." });
  });
});
