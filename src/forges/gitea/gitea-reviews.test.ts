import { describe, expect, it } from "vitest";
import { AccountId, HeadSha, RepositoryId, ReviewId } from "#core/model/ids.ts";
import { createGiteaClient } from "#forges/gitea/gitea-client.ts";
import type { ReviewSubmission } from "#ports/forge.ts";
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

const submission: ReviewSubmission = { pull, head, event: "approve", body: "Good.", remarks: [] };
const ready = {
  [`GET ${api}/pulls/12`]: wirePull,
  [`GET ${api}/pulls/12/reviews`]: [],
  [`POST ${api}/pulls/12/reviews`]: wireReview(20, { state: "APPROVED" }),
  "GET /api/v1/user": bot,
};

describe("a review for Gitea", () => {
  it.each([
    ["approve", "APPROVED"],
    ["request_changes", "REQUEST_CHANGES"],
    ["comment", "COMMENT"],
  ] as const)("says %s as %s, and stands at the last line of each remark", async (event, word) => {
    const { forge, heard } = connect(ready);
    const lines = { first: 2, last: 4 };
    const remarks = [
      { path: "a.ts", side: "new", lines, body: "New." },
      { path: "b.ts", side: "old", lines, body: "Old." },
    ] as const;
    expect(await forge.submitReview({ ...submission, event, remarks })).toBe("20");
    expect(bodyOf(heard, `POST ${api}/pulls/12/reviews`)).toEqual({
      commit_id: head,
      event: word,
      body: "Good.",
      comments: [
        { path: "a.ts", new_position: 4, body: "New." },
        { path: "b.ts", old_position: 4, body: "Old." },
      ],
    });
  });

  it("of a commit that is not there is not sent", async () => {
    const { forge, heard } = connect(ready);
    const sending = forge.submitReview({ ...submission, head: other });
    await expect(sending).rejects.toMatchObject({ kind: "refused", isApplied: "no" });
    expect(heard.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  it("of an earlier head that is still there is", async () => {
    const { forge } = connect({ ...ready, [`GET ${api}/git/commits/${other}`]: { sha: other } });
    expect(await forge.submitReview({ ...submission, head: other })).toBe("20");
  });

  it("that was kept as pending was not what was asked for", async () => {
    const { forge } = connect({ ...ready, [`POST ${api}/pulls/12/reviews`]: wireReview(20, { state: "PENDING" }) });
    await expect(forge.submitReview(submission)).rejects.toMatchObject({ kind: "malformed", isApplied: "unknown" });
  });

  it("takes away what an earlier one has left, and nobody else's", async () => {
    const [ours, theirs] = [
      wireReview(8, { state: "PENDING" }),
      wireReview(9, { state: "PENDING", user: { id: 5, login: "rita" } }),
    ];
    const { forge, heard } = connect({
      ...ready,
      [`GET ${api}/pulls/12/reviews`]: [ours, theirs, wireReview(10)],
      [`GET ${api}/pulls/12/reviews/8`]: ours,
      [`GET ${api}/pulls/12/reviews/9`]: theirs,
      [`DELETE ${api}/pulls/12/reviews/8`]: [204, null],
    });
    await forge.submitReview(submission);
    const writes = heard.filter(({ method }) => method !== "GET").map(({ method, path }) => `${method} ${path}`);
    expect(writes).toEqual([`DELETE ${api}/pulls/12/reviews/8`, `POST ${api}/pulls/12/reviews`]);
  });

  it("is never taken away once it was submitted, though a list still calls it pending", async () => {
    const { forge, heard } = connect({
      ...ready,
      [`GET ${api}/pulls/12/reviews`]: [wireReview(8, { state: "PENDING" })],
      [`GET ${api}/pulls/12/reviews/8`]: wireReview(8),
    });
    await expect(forge.submitReview(submission)).rejects.toMatchObject({ kind: "conflict", isApplied: "no" });
    expect(heard.filter(({ method }) => method !== "GET")).toEqual([]);
  });
});

describe("the text of a review on Gitea", () => {
  const edit = { pull, review: ReviewId.parse("8"), body: "Better." };

  it("is changed through the comment that its address names", async () => {
    const { forge, heard } = connect({
      [`GET ${api}/pulls/12/reviews/8`]: wireReview(8),
      [`PATCH ${api}/issues/comments/108`]: { id: 108 },
    });
    await forge.editReview(edit);
    expect(bodyOf(heard, `PATCH ${api}/issues/comments/108`)).toEqual({ body: "Better." });
  });

  it("is changed through the comment that the timeline names, where the address does not", async () => {
    const html_url = "https://git.test/mia/tools/pulls/12#pullrequestreview-8";
    const entry = {
      id: 55,
      type: "review",
      review_id: 8,
      user: bot,
      body: "A look.",
      created_at: time,
      updated_at: time,
    };
    const { forge, heard } = connect({
      [`GET ${api}/pulls/12/reviews/8`]: wireReview(8, { html_url }),
      [`GET ${api}/pulls/12/reviews`]: [],
      [`GET ${api}/issues/12/timeline`]: [entry],
      [`PATCH ${api}/issues/comments/55`]: { id: 55 },
    });
    await forge.editReview(edit);
    expect(bodyOf(heard, `PATCH ${api}/issues/comments/55`)).toEqual({ body: "Better." });
  });

  it("was not changed where Gitea answers with nothing", async () => {
    const { forge } = connect({
      [`GET ${api}/pulls/12/reviews/8`]: wireReview(8),
      [`PATCH ${api}/issues/comments/108`]: [204, null],
    });
    await expect(forge.editReview(edit)).rejects.toMatchObject({ kind: "refused", isApplied: "no" });
  });
});

describe("asking for a review on Gitea", () => {
  const request = { pull, reviewers: [{ id: AccountId.parse("5"), login: "rita", kind: "person" }] } as const;
  const post = `POST ${api}/pulls/12/requested_reviewers`;

  it("names people by their logins", async () => {
    const { forge, heard } = connect({ [post]: [201, []] });
    await forge.requestReviews(request);
    expect(bodyOf(heard, post)).toEqual({ reviewers: ["rita"] });
  });

  it.each([
    ["Doer can't choose reviewer [user_id: 9, repo_id: 7]", "forbidden"],
    ["poster of pr can't be reviewer [user_id: 5, repo_id: 7]", "refused"],
  ])("that is answered with %j is %s", async (message, kind) => {
    const { forge } = connect({ [post]: [422, { message }] });
    await expect(forge.requestReviews(request)).rejects.toMatchObject({ kind, isApplied: "no" });
  });
});

describe("a dismissal on Gitea", () => {
  const dismissal = { pull, review: ReviewId.parse("8"), words: "Superseded." };
  const post = `POST ${api}/pulls/12/reviews/8/dismissals`;

  it("is forbidden to those who are no admins, and said so", async () => {
    const { forge } = connect({
      [post]: [403, { message: "Must be repo admin" }],
      [`GET ${api}/pulls/12/reviews/8`]: wireReview(8, { state: "APPROVED" }),
    });
    await expect(forge.dismissReview(dismissal)).rejects.toMatchObject({ kind: "forbidden", isApplied: "no" });
  });

  it("that is refused because there is nothing left to dismiss has happened", async () => {
    const { forge } = connect({
      [post]: [403, { message: "not need" }],
      [`GET ${api}/pulls/12/reviews/8`]: wireReview(8, { state: "APPROVED", dismissed: true }),
    });
    await expect(forge.dismissReview(dismissal)).resolves.toBeUndefined();
  });
});
