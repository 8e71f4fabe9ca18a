import { describe, expect, it } from "vitest";
import { AccountId } from "#core/model/ids.ts";
import { readReviews } from "#forges/gitea/gitea-read-reviews.ts";
import { GiteaPull, GiteaReview, TimelineEntry } from "#forges/gitea/gitea-schema.ts";
import { replyMark } from "#forges/gitea/gitea-threads.ts";

const bot = { id: AccountId.parse("3"), login: "drover", kind: "person" } as const;
const begun = "2026-01-01T10:00:00Z";
const submitted = "2026-01-02T10:00:00Z";

const branch = { label: "parser", ref: "parser", sha: "a".repeat(40), repo_id: 7 };
const pull = GiteaPull.parse({
  number: 12,
  title: "Add a parser",
  state: "open",
  merged: false,
  merge_commit_sha: null,
  head: branch,
  base: branch,
  created_at: begun,
  updated_at: begun,
});

function aReview(id: number, change: object = {}): GiteaReview {
  const review = { id, user: { id: 5, login: "rita" }, state: "APPROVED", body: "Good.", commit_id: branch.sha };
  return GiteaReview.parse({ ...review, submitted_at: begun, html_url: "", ...change });
}

function entry(type: string, review: number, body = ""): TimelineEntry {
  const said = { id: 100 + review, type, review_id: review, user: null, body };
  return TimelineEntry.parse({ ...said, created_at: submitted, updated_at: submitted });
}

function read(reviews: readonly GiteaReview[], entries: readonly TimelineEntry[] = []) {
  return readReviews(reviews, { timeline: { entries, isCut: false }, pull, bot });
}

function states(reviews: readonly GiteaReview[], entries: readonly TimelineEntry[] = []): readonly string[] {
  return read(reviews, entries).map(({ id, state }) => `${id} ${state}`);
}

describe("reviews of Gitea", () => {
  it("have the text that people see now, and the time at which it was submitted", () => {
    const [review] = read([aReview(1)], [entry("review", 1, "Good after all.")]);
    expect(review).toMatchObject({ body: "Good after all.", submittedAt: Date.parse(submitted) });
  });

  it("have what the list tells where the timeline tells nothing", () => {
    expect(read([aReview(1)])[0]).toMatchObject({ body: "Good.", submittedAt: Date.parse(begun) });
    expect(read([aReview(1, { submitted_at: null })])[0]?.submittedAt).toBe(pull.created_at);
    expect(read([aReview(1, { commit_id: "" })])[0]?.commit).toBeNull();
  });

  it("are no requests, and nothing with another word", () => {
    expect(states([aReview(1, { state: "REQUEST_REVIEW" }), aReview(2, { state: "NEW" }), aReview(3)])).toEqual([
      "3 approved",
    ]);
  });

  it("that were superseded keep their verdict, though Gitea calls them dismissed", () => {
    const reviews = [
      aReview(1, { state: "REQUEST_CHANGES", dismissed: true }),
      aReview(2),
      aReview(3, { state: "APPROVED", user: { id: 6, login: "mia" } }),
    ];
    expect(states(reviews)).toEqual(["1 changes_requested", "2 approved", "3 approved"]);
  });

  it("that somebody has dismissed are, whatever came later", () => {
    const reviews = [aReview(1, { dismissed: true }), aReview(2)];
    expect(states(reviews, [entry("dismiss_review", 1)])).toEqual(["1 dismissed", "2 approved"]);
    expect(states([aReview(1, { dismissed: true }), aReview(2, { state: "COMMENT" })])).toEqual([
      "1 dismissed",
      "2 commented",
    ]);
  });

  it("that were superseded do not come back when the later verdict is dismissed", () => {
    const reviews = [aReview(1, { dismissed: true }), aReview(2, { state: "REQUEST_CHANGES", dismissed: true })];
    expect(states(reviews, [entry("dismiss_review", 2)])).toEqual(["1 dismissed", "2 dismissed"]);
  });

  it("that are taken up again are not dismissed any more", () => {
    expect(states([aReview(1)], [entry("dismiss_review", 1)])).toEqual(["1 approved"]);
  });

  it("that others have begun are invisible, though an admin of the server is shown them", () => {
    const ours = { state: "PENDING", user: { id: 3, login: "drover" } };
    expect(states([aReview(1, { state: "PENDING" }), aReview(2, ours)])).toEqual(["2 pending"]);
  });

  it("of ours that are nothing but a reply are none; of others they are", () => {
    const reply = { state: "COMMENT", body: replyMark(9) };
    const own = { ...reply, user: { id: 3, login: "drover" } };
    expect(states([aReview(1, own), aReview(2, reply), aReview(3, { ...own, state: "PENDING" })])).toEqual([
      "2 commented",
      "3 pending",
    ]);
  });
});
