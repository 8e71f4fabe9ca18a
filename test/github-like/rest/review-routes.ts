import { z } from "zod";
import { HeadSha, ReviewId } from "#core/model/ids.ts";
import { applyReview } from "#forges/sandbox/apply-review.ts";
import { applyDismissal, changeReviewBody, discardReview } from "#forges/sandbox/change-review.ts";
import { isPending, type ReviewState } from "#forges/sandbox/pull-state.ts";
import { EndpointRefusal, notFound } from "#forges/sandbox/refusal.ts";
import { newestOf, type PullEntry } from "#forges/sandbox/world.ts";
import { reviewCommentBody } from "#github-like/rest/comment-body.ts";
import { pullAsked, remarksOf } from "#github-like/rest/comment-routes.ts";
import { page } from "#github-like/rest/page.ts";
import { reviewBody } from "#github-like/rest/review-body.ts";
import {
  type Asked,
  numberParam,
  ok,
  param,
  type Route,
  readBody,
  repositoryName,
  Unprocessable,
} from "#github-like/rest/route.ts";
import type { Need } from "#github-like/rights.ts";
import { entryOf, mustFindRepository, type PullSight, type Sight } from "#github-like/sight.ts";
import type { ReviewRemark } from "#ports/forge.ts";

const reads: readonly Need[] = [["pull_requests", "read"]];
const writes: readonly Need[] = [["pull_requests", "write"]];

const all = "/repos/{owner}/{repo}/pulls/{pull_number}/reviews";
const one = `${all}/{review_id}`;

const Side = z.enum(["LEFT", "RIGHT"]);
const RemarkAsked = z.object({
  path: z.string().min(1),
  body: z.string(),
  line: z.number().int().optional(),
  side: Side.default("RIGHT"),
  start_line: z.number().int().optional(),
  start_side: Side.optional(),
});
const ReviewAsked = z.object({
  commit_id: z.string().optional(),
  body: z.string().default(""),
  event: z.enum(["APPROVE", "REQUEST_CHANGES", "COMMENT"]).optional(),
  comments: z.array(RemarkAsked).default(() => []),
});
const Text = z.object({ body: z.string() });
const Dismissal = z.object({ message: z.string() });

const events = { APPROVE: "approve", REQUEST_CHANGES: "request_changes", COMMENT: "comment" } as const;

export const reviewRoutes: readonly Route[] = [
  {
    method: "GET",
    path: all,
    name: "list_reviews",
    isWrite: false,
    needs: reads,
    async serve(sight, asked) {
      const pull = await pullAsked(sight, asked, "pull_number");
      const path = `/repos/${repositoryName(asked)}/pulls/${pull.entry.ref.number}/reviews`;
      return page(sight, asked, { items: shownReviews(pull), path, toBody: (review) => reviewBody(pull, review) });
    },
  },
  {
    method: "POST",
    path: all,
    name: "create_review",
    isWrite: true,
    needs: writes,
    async serve(sight, asked) {
      const entry = await entryAsked(sight, asked);
      const { event, body, comments, commit_id } = readBody(ReviewAsked, asked);
      if (event === "APPROVE") refuseActions(sight, entry);
      const review = await refusingAll(() =>
        applyReview(sight.world, entry, {
          by: sight.asker,
          event: event === undefined ? "pending" : events[event],
          body,
          commit: readCommit(commit_id, entry),
          remarks: comments.map(readRemark),
          breaksDown: sight.breaksDown,
        }),
      );
      return ok(reviewBody(pullNow(sight, entry), review));
    },
  },
  {
    method: "GET",
    path: one,
    name: "get_review",
    isWrite: false,
    needs: reads,
    async serve(sight, asked) {
      const pull = await pullAsked(sight, asked, "pull_number");
      return ok(reviewBody(pull, findReview(pull, asked)));
    },
  },
  {
    method: "GET",
    path: `${one}/comments`,
    name: "list_comments_of_review",
    isWrite: false,
    needs: reads,
    async serve(sight, asked) {
      const pull = await pullAsked(sight, asked, "pull_number");
      const { id } = findReview(pull, asked);
      return page(sight, asked, {
        items: remarksOf(pull).filter(({ thread }) => thread.review === id),
        path: `/repos/${repositoryName(asked)}/pulls/${pull.entry.ref.number}/reviews/${id}/comments`,
        toBody: ({ thread, comment }) => reviewCommentBody(pull, thread, comment),
      });
    },
  },
  {
    method: "PUT",
    path: one,
    name: "edit_review",
    isWrite: true,
    needs: writes,
    async serve(sight, asked) {
      const entry = await entryAsked(sight, asked);
      const { id } = findReview(pullNow(sight, entry), asked);
      changeReviewBody(sight.world, entry, { by: sight.asker, review: id, body: readBody(Text, asked).body });
      return ok(reviewBody(pullNow(sight, entry), findReview(pullNow(sight, entry), asked)));
    },
  },
  {
    method: "DELETE",
    path: one,
    name: "delete_review",
    isWrite: true,
    needs: writes,
    async serve(sight, asked) {
      const entry = await entryAsked(sight, asked);
      const before = pullNow(sight, entry);
      const review = findReview(before, asked);
      discardReview(sight.world, entry, { by: sight.asker, review: review.id });
      return ok(reviewBody(before, review));
    },
  },
  {
    method: "PUT",
    path: `${one}/dismissals`,
    name: "dismiss_review",
    isWrite: true,
    needs: writes,
    async serve(sight, asked) {
      const entry = await entryAsked(sight, asked);
      readBody(Dismissal, asked);
      const { id } = findReview(pullNow(sight, entry), asked);
      applyDismissal(sight.world, entry, { by: sight.asker, review: id });
      return ok(reviewBody(pullNow(sight, entry), findReview(pullNow(sight, entry), asked)));
    },
  },
];

export function shownReviews({ sight, state }: PullSight): readonly ReviewState[] {
  return state.reviews.filter((review) => !isPending(review) || review.author.id === sight.asker.id);
}

async function entryAsked(sight: Sight, asked: Asked): Promise<PullEntry> {
  const repository = await mustFindRepository(sight, repositoryName(asked));
  return entryOf(repository, numberParam(asked, "pull_number"));
}

function refuseActions({ asker, extras }: Sight, { ref }: PullEntry): void {
  if (asker.login !== "github-actions[bot]" || extras.approvedByActions.has(ref.repository.id)) return;
  throw new Unprocessable(["GitHub Actions is not permitted to approve pull requests."], "Unprocessable Entity");
}

function pullNow(sight: Sight, entry: PullEntry): PullSight {
  return { sight, entry, state: newestOf(entry) };
}

function findReview(pull: PullSight, { params }: Asked): ReviewState {
  const id = ReviewId.parse(param(params, "review_id"));
  const review = shownReviews(pull).find((candidate) => candidate.id === id);
  if (review === undefined) throw notFound();
  return review;
}

/** Without a commit it is the head of this moment. */
function readCommit(text: string | undefined, entry: PullEntry): HeadSha {
  if (text === undefined) return newestOf(entry).head.sha;
  const read = HeadSha.safeParse(text);
  if (!read.success) throw new Unprocessable(["Commit is not part of the pull request"], "Unprocessable Entity");
  return read.data;
}

function readRemark({ path, body, line, side, start_line, start_side }: z.infer<typeof RemarkAsked>): ReviewRemark {
  if (line === undefined)
    throw new Unprocessable(["Pull request review thread line can't be blank"], "Unprocessable Entity");
  const isMixed = start_side !== undefined && start_side !== side;
  const isBackwards = start_line !== undefined && start_line >= line;
  if (isMixed || isBackwards)
    throw new Unprocessable(
      ["Pull request review thread start line must precede the end line."],
      "Unprocessable Entity",
    );
  return { path, body, side: side === "LEFT" ? "old" : "new", lines: { first: start_line ?? line, last: line } };
}

/** The whole review is refused with a word that names no remark. */
async function refusingAll<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EndpointRefusal && error.status === 422 && !(error instanceof Unprocessable)) {
      throw new Unprocessable([error.message], "Unprocessable Entity");
    }
    throw error;
  }
}
