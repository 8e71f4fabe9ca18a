import { z } from "zod";
import type { ReviewId } from "#core/model/ids.ts";
import { isSuccess } from "#forges/forge-response.ts";
import { bodyOf, type Caller, call, callRaw, errorOf, type ReadingManner } from "#forges/gitea/gitea-call.ts";
import { isStatus } from "#forges/gitea/gitea-error.ts";
import type { FetchBot } from "#forges/gitea/gitea-identity.ts";
import { listReviews } from "#forges/gitea/gitea-list-reviews.ts";
import { pullPath, readGiteaId, repositoryPath, whereOf } from "#forges/gitea/gitea-paths.ts";
import { GiteaPull, GiteaReview } from "#forges/gitea/gitea-schema.ts";
import { ForgeError } from "#ports/forge.ts";
import type { PullRef } from "#ports/pull-ref.ts";

export interface GiteaReviewContext {
  readonly caller: Caller;
  readonly fetchBot: FetchBot;
}

type OnTheWay = ReadingManner & { readonly manner: "look" };

/** The next submission would take the remarks of a failed one along, so they are removed first. */
export async function clearPending(parts: GiteaReviewContext, pull: PullRef, how: OnTheWay): Promise<void> {
  const { items } = await listReviews(parts.caller, pull, how);
  for (const { id, state } of items) if (state === "PENDING") await discardPending(parts, { pull, review: id }, how);
}

/** The call would remove a submitted review too, and an admin sees others' pending ones: read first. */
export async function discardPending(
  { caller, fetchBot }: GiteaReviewContext,
  { pull, review }: { readonly pull: PullRef; readonly review: string },
  how: OnTheWay,
): Promise<void> {
  const path = reviewPath(pull, review);
  const look = {
    ...how,
    where: whereOf(pull),
    name: "look up review",
    method: "GET",
    path,
    shape: GiteaReview,
  } as const;
  const seen = await callRaw(caller, look);
  if (isStatus(seen, 404)) return;
  const { state, user } = bodyOf(look, seen);
  if (state !== "PENDING") {
    throw new ForgeError("conflict", `gitea ${whereOf(pull)}: the review has been submitted`, { isApplied: "no" });
  }
  const bot = await fetchBot(how);
  if (user?.id !== bot.id) return;
  const asked = { ...look, name: "discard review", manner: "write", method: "DELETE" } as const;
  const answer = await callRaw(caller, asked);
  if (!isSuccess(answer) && !isStatus(answer, 404)) throw errorOf(asked, answer);
}

export function reviewPath(pull: PullRef, review: ReviewId | string): string {
  const number = readGiteaId(review);
  if (number !== undefined) return `${pullPath(pull)}/reviews/${number}`;
  throw new ForgeError("not_found", `gitea ${whereOf(pull)}: there is no review ${review}`, { isApplied: "no" });
}

export async function fetchHead(caller: Caller, pull: PullRef, how: OnTheWay): Promise<string> {
  const { head } = await call(caller, {
    ...how,
    where: whereOf(pull),
    name: "look up pull",
    method: "GET",
    path: pullPath(pull),
    shape: GiteaPull,
  });
  return head.sha;
}

/** A review of a missing commit breaks Gitea, and the next review with it. */
export async function isKnownCommit(
  caller: Caller,
  { pull, commit }: { readonly pull: PullRef; readonly commit: string },
  how: OnTheWay,
): Promise<boolean> {
  const asked = {
    ...how,
    where: whereOf(pull),
    name: "look up commit",
    method: "GET",
    path: `${repositoryPath(pull.repository)}/git/commits/${encodeURIComponent(commit)}`,
    shape: z.unknown(),
  } as const;
  const answer = await callRaw(caller, asked);
  if (isStatus(answer, 404) || isStatus(answer, 422)) return false;
  bodyOf(asked, answer);
  return true;
}
