import { describe, expect, it } from "vitest";
import { RepositoryId } from "#core/model/ids.ts";
import { instant } from "#core/model/instant.ts";
import type { Pull } from "#core/model/pull.ts";
import { isDraft, readPull, readReaction, readUser } from "#forges/gitea/gitea-map.ts";
import { GiteaPull, GiteaReaction, GiteaReview } from "#forges/gitea/gitea-schema.ts";

const repository = { id: RepositoryId.parse("7"), name: "mia/tools" };
const time = "2026-01-01T10:00:00Z";
const branch = { label: "parser", ref: "parser", sha: "a".repeat(40), repo_id: 7 };

/** As little as there may be of a pull: what can be null is null. */
const barePull = {
  number: 12,
  title: "Add a parser",
  body: null,
  user: null,
  state: "open",
  merged: false,
  merge_commit_sha: null,
  labels: null,
  head: branch,
  base: { ...branch, label: "main", ref: "main" },
  created_at: time,
  updated_at: time,
};

function read(change: object = {}, reviews: readonly object[] = []): Pull | undefined {
  return readPull(repository, GiteaPull.parse({ ...barePull, ...change }), {
    pushedAt: null,
    basedSince: instant(0),
    mergeability: { kind: "unknown" },
    reviews: reviews.map((review) => GiteaReview.parse(review)),
  });
}

describe("a pull of Gitea", () => {
  it("is read though most of it is null, and of somebody who is gone", () => {
    expect(read()).toMatchObject({
      repository,
      body: "",
      author: { id: "-1", login: "Ghost" },
      labels: [],
      isDraft: false,
      bodyEdits: [],
      head: { branch: "parser", isFork: false, pushedAt: null },
    });
  });

  it.each([
    ["open", false, "open"],
    ["closed", false, "closed"],
    ["closed", true, "merged"],
  ])("that is %s, merged: %s, is %s", (state, merged, told) => {
    expect(read({ state, merged })?.state).toBe(told);
  });

  it("is of a fork where the repositories differ, also when the fork is gone", () => {
    expect(read({ head: { ...branch, repo_id: 8 } })?.head.isFork).toBe(true);
    expect(read({ head: { ...branch, repo_id: -1, ref: "refs/pull/12/head" } })?.head).toMatchObject({
      isFork: true,
      branch: "parser",
    });
  });

  it("that was pushed without a branch is nobody's branch here", () => {
    const head = { ...branch, label: "", ref: "refs/pull/12/head" };
    expect(read({ head })?.head).toMatchObject({ isFork: true, branch: "refs/pull/12/head" });
  });

  it("whose head Gitea does not find is none", () => {
    expect(read({ head: { ...branch, sha: "" } })).toBeUndefined();
  });

  it.each([
    [{ title: "WIP: a parser" }, true],
    [{ title: "wip: a parser" }, true],
    [{ title: "[WIP] a parser" }, true],
    [{ title: "A parser, WIP: later" }, false],
    [{ title: "Wipe the disk" }, false],
    [{ title: "Draft: a parser", draft: true }, true],
    [{ title: "WIP: a parser", draft: false }, true],
    [{ title: "A parser", draft: false }, false],
  ])("%j is a draft: %s", (change, told) => {
    expect(isDraft(GiteaPull.parse({ ...barePull, ...change }))).toBe(told);
  });
});

function wireReview(id: number, user: number, state: string): object {
  return { id, user: { id: user, login: `user-${user}` }, state, html_url: "" };
}

function asked(reviews: readonly object[]): readonly string[] | undefined {
  return read({}, reviews)?.requestedReviewers.map(({ id }) => id);
}

describe("who is asked for a review", () => {
  it("is whoever has a request and no answer to it", () => {
    const reviews = [
      wireReview(1, 5, "REQUEST_REVIEW"),
      wireReview(2, 6, "REQUEST_REVIEW"),
      wireReview(3, 6, "COMMENT"),
      wireReview(4, 7, "APPROVED"),
      wireReview(5, 8, "APPROVED"),
      wireReview(6, 8, "REQUEST_REVIEW"),
    ];
    expect(asked(reviews)).toEqual(["5", "8"]);
  });

  it("has not answered by beginning to", () => {
    expect(asked([wireReview(1, 5, "REQUEST_REVIEW"), wireReview(2, 5, "PENDING")])).toEqual(["5"]);
  });

  it("is no team", () => {
    expect(asked([{ id: 1, user: null, state: "REQUEST_REVIEW", html_url: "" }])).toEqual([]);
  });
});

function react(content: string) {
  return readReaction(GiteaReaction.parse({ user: { id: 5, login: "rita" }, content, created_at: time }));
}

describe("a reaction on Gitea", () => {
  it("is read where it means something", () => {
    expect(react("+1")).toMatchObject({ content: "+1", author: readUser({ id: "5", login: "rita" }) });
    expect(react("party_parrot")).toBeUndefined();
  });
});
