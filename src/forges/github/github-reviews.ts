import { z } from "zod";
import type { GithubPosition } from "#core/diff/position.ts";
import { ReviewId } from "#core/model/ids.ts";
import type { Verdict } from "#core/review/verdict.ts";
import { isSuccess } from "#forges/forge-response.ts";
import { bodyOf, type Caller, callRest, callRestRaw, errorOf } from "#forges/github/github-call.ts";
import { isApprovalForbidden, isTooQuick } from "#forges/github/github-error.ts";
import { githubLimits } from "#forges/github/github-limits.ts";
import { atPull, pullParams } from "#forges/github/github-paths.ts";
import { GithubId } from "#forges/github/github-schema.ts";
import { type Forge, ForgeError, type ReviewRemark } from "#ports/forge.ts";
import type { PullRef, RepositoryRef } from "#ports/pull-ref.ts";

type ReviewWrites = Pick<
  Forge,
  "submitReview" | "editReview" | "dismissReview" | "discardPendingReview" | "requestReviews"
>;

const RestReview = z.object({ id: GithubId, state: z.string() });

const events = {
  approve: "APPROVE",
  request_changes: "REQUEST_CHANGES",
  comment: "COMMENT",
} as const satisfies Record<Verdict, string>;

const one = "/repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}";

export interface ReviewListeners {
  /** The repository refused an approval because of who asked. */
  readonly onUnapprovable: (repository: RepositoryRef) => void;
}

export function reviewWrites(caller: Caller, { onUnapprovable }: ReviewListeners): ReviewWrites {
  return {
    /** All or nothing. Without an event it would be pending, so such an answer is wrong. */
    async submitReview({ pull, head, event, body, remarks }) {
      const asked = {
        ...talk(pull, "submit review"),
        method: "POST",
        path: "/repos/{owner}/{repo}/pulls/{pull_number}/reviews",
        params: {
          ...pullParams(pull),
          commit_id: head,
          body,
          event: events[event],
          comments: remarks.map((remark) => ({ ...positionOf(remark), body: remark.body })),
        },
        shape: RestReview,
      } as const;
      const answer = await callRestRaw(caller, asked);
      // Waiting would not help and would delay everybody: the caller says it in another way.
      if (isTooQuick(answer) && remarks.length > githubLimits.remarksAtOnceMax) {
        throw new ForgeError("refused", errorOf(asked, answer).message, { isApplied: "no" });
      }
      if (event === "approve" && isApprovalForbidden(answer)) {
        onUnapprovable(pull.repository);
        throw new ForgeError("may_not_approve", errorOf(asked, answer).message, { isApplied: "no" });
      }
      const made = bodyOf(asked, answer);
      if (made.state !== "PENDING") return ReviewId.parse(made.id);
      throw new ForgeError("malformed", `github ${whereOf(pull)}: the review was kept as pending`, {
        isApplied: "unknown",
      });
    },
    async editReview({ pull, review, body }) {
      const params = { ...reviewParams(pull, review), body };
      await callRest(caller, {
        ...talk(pull, "edit review"),
        method: "PUT",
        path: one,
        params,
        shape: z.unknown(),
      });
    },
    dismissReview: (request) => dismissReview(caller, request),
    /** GitHub refuses this for a submitted review. A missing one is gone already. */
    async discardPendingReview({ pull, review }) {
      const asked = { ...talk(pull, "discard review"), method: "DELETE", path: one } as const;
      const answer = await callRestRaw(caller, { ...asked, params: reviewParams(pull, review) });
      const isGone = answer.kind === "answered" && answer.status === 404;
      if (!isSuccess(answer) && !isGone) throw errorOf(asked, answer);
    },
    async requestReviews({ pull, reviewers }) {
      await callRest(caller, {
        ...talk(pull, "request reviews"),
        method: "POST",
        path: "/repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers",
        params: { ...pullParams(pull), reviewers: reviewers.map(({ login }) => login) },
        shape: z.unknown(),
      });
    },
  };
}

/** A refusal: it is dismissed already. */
async function dismissReview(
  caller: Caller,
  { pull, review, words }: Parameters<Forge["dismissReview"]>[0],
): Promise<void> {
  const since = caller.clock.now();
  const params = reviewParams(pull, review);
  const asked = { ...talk(pull, "dismiss review"), since, method: "PUT", path: `${one}/dismissals` } as const;
  const answer = await callRestRaw(caller, { ...asked, params: { ...params, message: words, event: "DISMISS" } });
  if (isSuccess(answer)) return;
  const error = errorOf(asked, answer);
  if (error.kind !== "refused") throw error;
  const look = {
    ...talk(pull, "look up review"),
    since,
    manner: "look",
    rights: "look",
    method: "GET",
    path: one,
  } as const;
  const known = await callRest(caller, { ...look, params, shape: RestReview });
  if (known.state !== "DISMISSED") throw error;
}

function talk(pull: PullRef, name: string) {
  return { ...atPull(pull), name, manner: "write", rights: "talk" } as const;
}

function positionOf({ path, side, lines }: ReviewRemark): GithubPosition {
  const word = side === "old" ? "LEFT" : "RIGHT";
  const last = { path, line: lines.last, side: word } as const;
  return lines.first === lines.last ? last : { ...last, start_line: lines.first, start_side: word };
}

function reviewParams(pull: PullRef, review: ReviewId): Readonly<Record<string, unknown>> {
  if (/^\d{1,15}$/.test(review)) return { ...pullParams(pull), review_id: Number(review) };
  throw new ForgeError("not_found", `github ${whereOf(pull)}: there is no review ${review}`, { isApplied: "no" });
}

function whereOf({ repository, number }: PullRef): string {
  return `${repository.name}#${number}`;
}
