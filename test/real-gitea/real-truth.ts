import * as z from "zod";
import type { ForgeTruth } from "#contract/forge/world.ts";
import { Reaction, Review, type Thread } from "#core/model/conversation.ts";
import { CommentId, HeadSha, ReviewId } from "#core/model/ids.ts";
import { Pull } from "#core/model/pull.ts";
import { reviewTextId } from "#core/model/review-text.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import type { GiteaApi } from "./gitea-api.ts";
import { accountOf, readComment, ToldComment, timeOf, User } from "./real-comment.ts";
import { issueOf, pathOf } from "./real-person.ts";
import { readThreads } from "./real-threads.ts";

const Told = z.object({
  title: z.string(),
  body: z.string(),
  user: User,
  created_at: z.string(),
  state: z.enum(["open", "closed"]),
  merged: z.boolean(),
  merged_at: z.string().nullable(),
  merged_by: User.nullable(),
  merge_commit_sha: z.string().nullable(),
  head: z.object({ ref: z.string(), sha: z.string(), repo_id: z.number() }),
  base: z.object({ ref: z.string(), repo_id: z.number() }),
  labels: z.array(z.object({ name: z.string() })),
  mergeable: z.boolean(),
});
type Told = z.infer<typeof Told>;
const ToldReview = z.object({
  id: z.number(),
  user: User.nullable(),
  state: z.string(),
  body: z.string(),
  commit_id: z.string(),
  submitted_at: z.string(),
  comments_count: z.number(),
});
type ToldReview = z.infer<typeof ToldReview>;
const ToldEvent = z.object({ id: z.number(), type: z.string(), review_id: z.number().optional(), body: z.string() });
type ToldEvent = z.infer<typeof ToldEvent>;
const ToldReaction = z.object({ user: User, content: z.string(), created_at: z.string() });
const ToldStatus = z.object({
  id: z.number(),
  context: z.string(),
  status: z.enum(["pending", "success", "failure", "error", "warning", "skipped"]),
  description: z.string(),
  creator: User,
  created_at: z.string(),
});
type ToldStatus = z.infer<typeof ToldStatus>;
const Commit = z.object({ parents: z.array(z.object({ sha: z.string() })) });
const Commits = z.array(z.object({ sha: z.string() }));

const requested = "REQUEST_REVIEW";

/** Drover's own status has this name; see the client's page in docs/forges. */
const gateName = "drover";

/** A pull as the server's admin finds it, who sees also what others have not yet submitted. */
export async function readTruth(admin: GiteaApi, ref: PullRef): Promise<ForgeTruth> {
  const told = Told.parse(await admin.get(pathOf(ref)));
  const comments = z.array(ToldComment).parse(await admin.list(`${issueOf(ref)}/comments`));
  const listed = z.array(ToldReview).parse(await admin.list(`${pathOf(ref)}/reviews`));
  const reviews = listed.filter(({ state }) => state !== requested);
  const threads = await readThreads(admin, ref, reviews);
  const events = z.array(ToldEvent).parse(await admin.listTimeline(issueOf(ref)));
  const said = new Map([...comments.map(({ id }) => String(id)), ...threads.flatMap(remarkIds)].map((id) => [id, id]));
  // The text of a review is a comment that goes by another name.
  for (const { id, type, review_id = 0 } of events) {
    if (type === "review") said.set(String(id), reviewTextId(ReviewId.parse(String(review_id))));
  }
  return {
    // The list of this name that a pull has holds everybody who ever reviewed it.
    pull: readPull(
      ref,
      told,
      listed.filter(({ state }) => state === requested).flatMap(({ user }) => user ?? []),
    ),
    comments: comments.map(readComment),
    reviews: readReviews(reviews, events),
    threads: threads.filter(({ isPending }) => !isPending).map(({ thread }) => thread),
    reactions: readReactions(await admin.list(`${issueOf(ref)}/reactions`)),
    commentReactions: await readCommentReactions(admin, ref, said),
    gates: await readGates(admin, ref, told.head.sha),
    merged: await readMerged(admin, ref, told),
  };
}

function readPull({ repository, number }: PullRef, told: Told, asked: readonly z.infer<typeof User>[]): Pull {
  return Pull.parse({
    repository,
    number,
    title: told.title,
    body: told.body,
    bodyEdits: [],
    author: accountOf(told.user),
    createdAt: timeOf(told.created_at),
    state: told.merged ? "merged" : told.state,
    isDraft: told.title.startsWith("WIP:"),
    head: {
      sha: told.head.sha,
      branch: told.head.ref,
      isFork: told.head.repo_id !== told.base.repo_id,
      pushedAt: null,
      patch: null,
    },
    base: { branch: told.base.ref, since: null },
    labels: told.labels.map(({ name }) => name),
    mergeability: told.mergeable ? { kind: "mergeable" } : { kind: "unknown" },
    requestedReviewers: asked.map(accountOf),
  });
}

const reviewStates: Readonly<Record<string, Review["state"]>> = {
  APPROVED: "approved",
  REQUEST_CHANGES: "changes_requested",
  COMMENT: "commented",
  PENDING: "pending",
};

/**
 * The list of reviews goes on telling what they said first, and calls all but the last verdict of a person dismissed. The
 * timeline tells what they say now, and which of them somebody has dismissed.
 */
function readReviews(told: readonly ToldReview[], events: readonly ToldEvent[]): readonly Review[] {
  const eventsOf = (wanted: string): ReadonlyMap<number, string> =>
    new Map(events.filter(({ type }) => type === wanted).map(({ review_id = 0, body }) => [review_id, body]));
  const [bodies, dismissals] = [eventsOf("review"), eventsOf("dismiss_review")];
  return told.map(({ id, user, state, body, commit_id, submitted_at }) =>
    Review.parse({
      id: ReviewId.parse(String(id)),
      author: user === null ? undefined : accountOf(user),
      state: dismissals.has(id) ? "dismissed" : reviewStates[state],
      body: bodies.get(id) ?? body,
      submittedAt: timeOf(submitted_at),
      commit: commit_id === "" ? null : commit_id,
    }),
  );
}

function remarkIds({ thread }: { readonly thread: Thread }): readonly string[] {
  return thread.comments.map(({ id }) => id);
}

function readReactions(told: unknown): readonly Reaction[] {
  return z
    .array(ToldReaction)
    .parse(told)
    .map(({ user, content, created_at }) =>
      Reaction.parse({ author: accountOf(user), content, createdAt: timeOf(created_at) }),
    );
}

async function readCommentReactions(
  admin: GiteaApi,
  { repository }: PullRef,
  comments: ReadonlyMap<string, string>,
): Promise<ForgeTruth["commentReactions"]> {
  const found: ForgeTruth["commentReactions"][number][] = [];
  for (const [comment, name] of comments) {
    const told = await admin.get(`/repos/${repository.name}/issues/comments/${comment}/reactions`);
    for (const reaction of readReactions(told ?? [])) found.push({ ...reaction, comment: CommentId.parse(name) });
  }
  return found;
}

/** On all commits of the pull, in the order in which they came. Their numbers count anew for each commit. */
async function readGates(admin: GiteaApi, ref: PullRef, head: string): Promise<ForgeTruth["gates"]> {
  const commits = Commits.parse(await admin.list(`${pathOf(ref)}/commits`)).map(({ sha }) => sha);
  const found: (ToldStatus & { readonly sha: string })[] = [];
  for (const sha of new Set([head, ...commits])) {
    const told = z.array(ToldStatus).parse(await admin.list(`/repos/${ref.repository.name}/statuses/${sha}`));
    found.push(...told.filter(({ context }) => context === gateName).map((status) => ({ ...status, sha })));
  }
  return found
    .toSorted((one, other) => timeOf(one.created_at) - timeOf(other.created_at) || one.id - other.id)
    .map(({ sha, status, description, creator, created_at }) => ({
      by: accountOf(creator),
      head: HeadSha.parse(sha),
      state: status === "pending" || status === "success" ? status : "failure",
      words: description,
      at: timeOf(created_at),
    }));
}

/** What was merged is told by git: the head that the API tells goes on with its branch, also after the merge. */
async function readMerged(admin: GiteaApi, { repository }: PullRef, told: Told): Promise<ForgeTruth["merged"]> {
  const { merged, merged_at, merged_by, merge_commit_sha } = told;
  if (!merged || merged_at === null || merged_by === null) return null;
  const { parents } = Commit.parse(await admin.get(`/repos/${repository.name}/git/commits/${merge_commit_sha}`));
  return {
    by: accountOf(merged_by),
    head: HeadSha.parse(parents.at(-1)?.sha),
    commit: HeadSha.parse(merge_commit_sha),
    at: timeOf(merged_at),
  };
}
