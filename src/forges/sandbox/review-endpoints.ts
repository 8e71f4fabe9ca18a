import type { ReviewId } from "#core/model/ids.ts";
import { applyReview } from "#forges/sandbox/apply-review.ts";
import { type Endpoint, type EndpointCall, pullOf } from "#forges/sandbox/call-endpoint.ts";
import { changeReviewBody, discardReview, applyDismissal as dismiss } from "#forges/sandbox/change-review.ts";
import type { ReviewEvent } from "#forges/sandbox/pull-state.ts";
import { EndpointRefusal, notFound } from "#forges/sandbox/refusal.ts";
import { wireReview } from "#forges/sandbox/to-wire.ts";
import type { WireReview, WireReviewRequest } from "#forges/sandbox/wire.ts";
import { newestOf } from "#forges/sandbox/world.ts";
import { write } from "#forges/sandbox/write-endpoints.ts";
import type { ReviewRemark } from "#ports/forge.ts";

export const createReview: Endpoint<WireReviewRequest, WireReview> = {
  name: "create_review",
  isWrite: true,
  async serve(call, request) {
    const { world, asker, breaksDown } = call;
    const entry = pullOf(call, request.number);
    const review = await applyReview(world, entry, {
      by: asker,
      event: readEvent(call, request.event),
      body: request.body,
      commit: request.commit_id,
      remarks: request.comments.map(readRemark),
      breaksDown,
    });
    return wireReview(world, newestOf(entry), review);
  },
};

/** Each forge has its own words; one takes any other for "not yet". */
function readEvent({ world }: EndpointCall, word: string | undefined): ReviewEvent | "pending" {
  if (word === undefined) return "pending";
  const event = (world.manner === "github" ? githubEvents : giteaEvents).get(word);
  if (event !== undefined) return event;
  if (world.quirks.unknownEventIsPending) return "pending";
  throw new EndpointRefusal(422, "event is not included in the list");
}

const githubEvents: ReadonlyMap<string, ReviewEvent> = new Map([
  ["APPROVE", "approve"],
  ["REQUEST_CHANGES", "request_changes"],
  ["COMMENT", "comment"],
]);

const giteaEvents: ReadonlyMap<string, ReviewEvent> = new Map([
  ["APPROVED", "approve"],
  ["REQUEST_CHANGES", "request_changes"],
  ["COMMENT", "comment"],
]);

function readRemark(comment: WireReviewRequest["comments"][number]): ReviewRemark {
  const { path, body } = comment;
  if ("line" in comment) {
    const lines = { first: comment.start_line ?? comment.line, last: comment.line };
    return { path, body, side: comment.side === "LEFT" ? "old" : "new", lines };
  }
  if ("new_position" in comment) return { path, body, side: "new", lines: single(comment.new_position) };
  return { path, body, side: "old", lines: single(comment.old_position) };
}

function single(line: number): ReviewRemark["lines"] {
  return { first: line, last: line };
}

interface OnReview {
  readonly number: number;
  readonly review: ReviewId;
}

export const editReviewEndpoint = write<OnReview & { readonly body: string }, null>("edit_review", (call, request) => {
  const { number, ...change } = request;
  if (call.world.manner !== "github") throw notFound();
  changeReviewBody(call.world, pullOf(call, number), { by: call.asker, ...change });
  return null;
});

export const dismissReviewEndpoint = write<OnReview & { readonly message: string }, null>(
  "dismiss_review",
  (call, request) => {
    dismiss(call.world, pullOf(call, request.number), { by: call.asker, review: request.review });
    return null;
  },
);

export const deleteReviewEndpoint = write<OnReview, null>("delete_review", (call, { number, review }) => {
  discardReview(call.world, pullOf(call, number), { by: call.asker, review });
  return null;
});
