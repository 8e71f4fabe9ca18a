import type { GiteaPosition, GithubPosition } from "#core/diff/position.ts";
import type { CommentId, ReviewId } from "#core/model/ids.ts";
import type { Verdict } from "#core/review/verdict.ts";
import { getReview } from "#forges/sandbox/read-endpoints.ts";
import {
  createReview,
  deleteReviewEndpoint,
  dismissReviewEndpoint as dismiss,
  editReviewEndpoint as edit,
} from "#forges/sandbox/review-endpoints.ts";
import { type Caller, call, callRaw, errorOf } from "#forges/sandbox/sandbox-call.ts";
import type { SandboxClientContext } from "#forges/sandbox/sandbox-client.ts";
import type { EndpointFailure } from "#forges/sandbox/sandbox-error.ts";
import type { WireReview } from "#forges/sandbox/wire.ts";
import { editCommentEndpoint } from "#forges/sandbox/write-endpoints.ts";
import { type Forge, ForgeError, type ReviewRemark, type ReviewSubmission } from "#ports/forge.ts";
import type { PullRef } from "#ports/pull-ref.ts";

const githubEvents = {
  approve: "APPROVE",
  request_changes: "REQUEST_CHANGES",
  comment: "COMMENT",
} as const satisfies Record<Verdict, string>;

const giteaEvents = {
  approve: "APPROVED",
  request_changes: "REQUEST_CHANGES",
  comment: "COMMENT",
} as const satisfies Record<Verdict, string>;

/** A wrong word is taken for "not yet": such an answer was not asked for. */
export async function submitReview(
  parts: SandboxClientContext,
  submission: ReviewSubmission,
): Promise<WireReview["id"]> {
  const { manner, caller } = parts;
  const { pull: place, head, event, body, remarks } = submission;
  const isGithub = manner === "github";
  const params = {
    number: place.number,
    commit_id: head,
    body,
    event: (isGithub ? githubEvents : giteaEvents)[event],
    comments: remarks.map((remark) => ({
      ...(isGithub ? githubPlace(remark) : giteaPlace(remark)),
      body: remark.body,
    })),
  };
  const made = await call(caller, { endpoint: createReview, place, params });
  if (made.state !== "PENDING") return made.id;
  throw new ForgeError("malformed", `${nameOf(place)}: the review was kept as pending`, { isApplied: "unknown" });
}

function githubPlace({ path, side, lines }: ReviewRemark): GithubPosition {
  const word = side === "old" ? "LEFT" : "RIGHT";
  const last = { path, line: lines.last, side: word } as const;
  return lines.first === lines.last ? last : { ...last, start_line: lines.first, start_side: word };
}

function giteaPlace({ path, side, lines }: ReviewRemark): GiteaPosition {
  return side === "new" ? { path, new_position: lines.last } : { path, old_position: lines.last };
}

/** On Gitea the text of a review is a comment, and its address tells which. */
export async function editReview(
  { manner, caller }: SandboxClientContext,
  { pull: place, review, body }: Parameters<Forge["editReview"]>[0],
): Promise<void> {
  const { number } = place;
  if (manner === "github") {
    await call(caller, { endpoint: edit, place, params: { number, review, body } });
    return;
  }
  const comment = await fetchSandboxBodyComment(caller, place, review);
  await call(caller, { endpoint: editCommentEndpoint, place, params: { number, comment, body } });
}

export async function fetchSandboxBodyComment(caller: Caller, place: PullRef, review: ReviewId): Promise<CommentId> {
  const params = { number: place.number, review };
  const { body_comment } = await call(caller, { endpoint: getReview, place, params });
  if (body_comment !== null) return body_comment;
  throw new ForgeError("malformed", `${nameOf(place)}: a review without a text`, { isApplied: "no" });
}

/** A refusal: it is dismissed already. */
export async function dismissReview(
  { caller }: SandboxClientContext,
  { pull: place, review, words }: Parameters<Forge["dismissReview"]>[0],
): Promise<void> {
  const { number } = place;
  const asked = { endpoint: dismiss, place, params: { number, review, message: words } };
  const answer = await callRaw(caller, asked);
  if (answer.kind === "success") return;
  const error = errorOf(caller, asked, answer);
  if (error.kind !== "refused") throw error;
  const known = await call(caller, { endpoint: getReview, place, params: { number, review } });
  if (known.state !== "DISMISSED" && !known.dismissed) throw error;
}

/** Looks first: on some forges the call would remove a submitted review. A look may lag, so finding nothing is no proof. */
export async function discardPendingReview(
  { caller }: SandboxClientContext,
  { pull: place, review }: Parameters<Forge["discardPendingReview"]>[0],
): Promise<void> {
  const params = { number: place.number, review };
  const look = { endpoint: getReview, place, params };
  const seen = await callRaw(caller, look);
  if (seen.kind === "success" && seen.body.state !== "PENDING") {
    throw new ForgeError("conflict", `${nameOf(place)}: the review has been submitted`, { isApplied: "no" });
  }
  if (seen.kind !== "success" && !isNotFound(seen)) throw errorOf(caller, look, seen);
  const asked = { endpoint: deleteReviewEndpoint, place, params };
  const answer = await callRaw(caller, asked);
  if (answer.kind !== "success" && !isNotFound(answer)) throw errorOf(caller, asked, answer);
}

function isNotFound(failure: EndpointFailure): boolean {
  return failure.kind === "refusal" && failure.status === 404;
}

function nameOf({ repository, number }: PullRef): string {
  return `sandbox ${repository.name}#${number}`;
}
