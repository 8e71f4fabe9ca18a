import { z } from "zod";
import { applyDismissal, deleteReview } from "#forges/sandbox/change-review.ts";
import { isPending, type PullState, type ReviewState, replaceItem } from "#forges/sandbox/pull-state.ts";
import { recordPullChange } from "#forges/sandbox/record-change.ts";
import { EndpointRefusal } from "#forges/sandbox/refusal.ts";
import { newestOf, permissionIn } from "#forges/sandbox/world.ts";
import { NotFound } from "#gitea-like/refusals.ts";
import { page } from "#gitea-like/rest/page.ts";
import { remarkBodies, requestBody, reviewBody } from "#gitea-like/rest/review-body.ts";
import { type Asked, nothing, numberParam, ok, pullAsked, type Route, readBody } from "#gitea-like/rest/route.ts";
import { submitPending, submitReview } from "#gitea-like/rest/submit-review.ts";
import { isShown, remarksOf } from "#gitea-like/reviews.ts";
import type { PullSight, Sight } from "#gitea-like/sight.ts";

const all = "/repos/{owner}/{repo}/pulls/{index}/reviews";
const one = `${all}/{id}`;

const Dismissal = z.object({ message: z.string().default(""), priors: z.boolean().default(false) });

export const reviewRoutes: readonly Route[] = [
  {
    method: "GET",
    path: all,
    name: "list_reviews",
    isWrite: false,
    scope: "repository",
    // Pages are cut before the pending reviews of others are left out, so that a page may be short.
    async serve(sight, asked) {
      const pull = await pullAsked(sight, asked);
      const said = await page(sight, asked, { items: listed(pull), toBody: (item) => bodyOf(pull, item) });
      return {
        ...said,
        body: Array.isArray(said.body) ? said.body.filter((body: unknown) => body !== null) : said.body,
      };
    },
  },
  {
    method: "POST",
    path: all,
    name: "create_review",
    isWrite: true,
    scope: "repository",
    serve: async (sight, asked) => ok(await submitReview(await pullAsked(sight, asked), asked)),
  },
  {
    method: "GET",
    path: one,
    name: "get_review",
    isWrite: false,
    scope: "repository",
    async serve(sight, asked) {
      const { pull, review } = await reviewAsked(sight, asked);
      return ok(reviewBody(pull, review));
    },
  },
  {
    method: "POST",
    path: one,
    name: "submit_review",
    isWrite: true,
    scope: "repository",
    async serve(sight, asked) {
      const { pull, review } = await reviewAsked(sight, asked);
      return ok(await submitPending(pull, review, asked));
    },
  },
  {
    method: "DELETE",
    path: one,
    name: "delete_review",
    isWrite: true,
    scope: "repository",
    async serve(sight, asked) {
      const { pull, review } = await reviewAsked(sight, asked);
      if (review.author.id !== sight.asker.id) throw new EndpointRefusal(403, "no permission to delete comment");
      deleteReview(sight.world, pull.entry, { by: sight.asker, review: review.id });
      return nothing;
    },
  },
  {
    method: "GET",
    path: `${one}/comments`,
    name: "list_review_comments",
    isWrite: false,
    scope: "repository",
    async serve(sight, asked) {
      const { pull, review } = await reviewAsked(sight, asked);
      return ok(remarkBodies(pull, remarksOf(pull, review.id)));
    },
  },
  {
    method: "POST",
    path: `${one}/dismissals`,
    name: "dismiss_review",
    isWrite: true,
    scope: "repository",
    serve: (sight, asked) => settle(sight, asked, "dismissed"),
  },
  {
    method: "POST",
    path: `${one}/undismissals`,
    name: "undismiss_review",
    isWrite: true,
    scope: "repository",
    serve: (sight, asked) => settle(sight, asked, "submitted"),
  },
];

type Item =
  | { readonly kind: "review"; readonly review: ReviewState }
  | { readonly kind: "request"; readonly request: PullState["requests"][number] };

/** A request for a review is a review there. */
function listed({ sight, state }: PullSight): readonly Item[] {
  const { reviews, requests } = state;
  const left = reviews.flatMap(({ id }) => sight.extras.leftRequests.get(id) ?? []);
  const numbered: readonly (Item & { readonly id: number })[] = [
    ...reviews.map((review) => ({ kind: "review", review, id: Number(review.id) }) as const),
    ...[...requests, ...left].map((request) => ({ kind: "request", request, id: Number(request.id) }) as const),
  ];
  return numbered.toSorted((item, other) => item.id - other.id);
}

function bodyOf(pull: PullSight, item: Item): object | null {
  if (item.kind === "request") return requestBody(pull, item.request);
  return isShown(pull, item.review) ? reviewBody(pull, item.review) : null;
}

async function reviewAsked(sight: Sight, asked: Asked): Promise<{ pull: PullSight; review: ReviewState }> {
  const pull = await pullAsked(sight, asked);
  const id = String(numberParam(asked, "id"));
  const review = pull.state.reviews.find((candidate) => candidate.id === id && isShown(pull, candidate));
  if (review === undefined) throw new NotFound(`review does not exist [id: ${id}]`);
  return { pull, review };
}

/** Twice is once; only admins of the repository may, whosever review it is. */
async function settle(sight: Sight, asked: Asked, wanted: "dismissed" | "submitted") {
  const { pull, review } = await reviewAsked(sight, asked);
  const { entry } = pull;
  if (permissionIn(entry.repository, sight.asker) !== "admin") throw new EndpointRefusal(403, "Must be repo admin");
  if (isPending(review) || (review.state.kind !== "pending" && review.state.event === "comment")) {
    throw new EndpointRefusal(
      403,
      "not need to dismiss this review because it's type is not Approve or change request",
    );
  }
  if (newestOf(entry).state !== "open")
    throw new EndpointRefusal(403, "can't dismiss a review associated to a closed or merged PR");
  const { message } = wanted === "dismissed" ? readBody(Dismissal, asked) : { message: "" };
  if (review.state.kind !== wanted) change(pull, review, wanted, message);
  const state = newestOf(entry);
  return ok(reviewBody({ ...pull, state }, state.reviews.find(({ id }) => id === review.id) ?? review));
}

function change({ sight, entry }: PullSight, review: ReviewState, wanted: string, message: string): void {
  if (wanted === "dismissed") {
    sight.extras.dismissals.set(review.id, message);
    return applyDismissal(sight.world, entry, { by: sight.asker, review: review.id });
  }
  if (review.state.kind === "pending") return undefined;
  const restored: ReviewState = { ...review, state: { ...review.state, kind: "submitted" } };
  recordPullChange(sight.world, entry, {
    by: sight.asker,
    what: { kind: "review_edited", review: review.id, before: review.body, body: review.body },
    next: { reviews: replaceItem(newestOf(entry).reviews, review, restored) },
    moves: "changedAt",
  });
  return undefined;
}
