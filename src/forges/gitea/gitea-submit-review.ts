import { z } from "zod";
import type { GiteaPosition } from "#core/diff/position.ts";
import type { HeadSha } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import type { Verdict } from "#core/review/verdict.ts";
import { call } from "#forges/gitea/gitea-call.ts";
import { pullPath, whereOf } from "#forges/gitea/gitea-paths.ts";
import { clearPending, fetchHead, type GiteaReviewContext, isKnownCommit } from "#forges/gitea/gitea-pending-review.ts";
import { GiteaId } from "#forges/gitea/gitea-schema.ts";
import { ForgeError, type ReviewRemark, type ReviewSubmission } from "#ports/forge.ts";
import type { PullRef } from "#ports/pull-ref.ts";

/** Any other word would be taken for "not yet". */
const events = {
  approve: "APPROVED",
  request_changes: "REQUEST_CHANGES",
  comment: "COMMENT",
} as const satisfies Record<Verdict, string>;

const Made = z.object({ id: GiteaId, state: z.string() });

/** Of a commit that is certainly there, without leftovers of another review. */
export async function submitReview(parts: GiteaReviewContext, submission: ReviewSubmission): Promise<string> {
  const { pull, head } = submission;
  const since = parts.caller.clock.now();
  const how = { manner: "look", since } as const;
  const current = await fetchHead(parts.caller, pull, how);
  if (current !== head && !(await isKnownCommit(parts.caller, { pull, commit: head }, how))) {
    const message = `gitea ${whereOf(pull)}: submit review: there is no commit ${head}`;
    throw new ForgeError("refused", message, { isApplied: "no" });
  }
  await clearPending(parts, pull, how);
  return await postReview(parts, { ...submission, commit: head, since });
}

export interface ReviewPost {
  readonly pull: PullRef;
  readonly commit: HeadSha | string;
  readonly event: Verdict;
  readonly body: string;
  readonly remarks: readonly ReviewRemark[];
  readonly since: Instant;
}

/** Answers with its number. "Pending" is not what was asked for. */
export async function postReview({ caller }: GiteaReviewContext, post: ReviewPost): Promise<string> {
  const { pull, commit, event, body, remarks, since } = post;
  const made = await call(caller, {
    where: whereOf(pull),
    name: "submit review",
    manner: "write",
    since,
    method: "POST",
    path: `${pullPath(pull)}/reviews`,
    body: {
      commit_id: commit,
      event: events[event],
      body,
      comments: remarks.map((remark) => ({ ...positionOf(remark), body: remark.body })),
    },
    shape: Made,
  });
  if (made.state !== "PENDING") return made.id;
  throw new ForgeError("malformed", `gitea ${whereOf(pull)}: the review was kept as pending`, {
    isApplied: "unknown",
  });
}

/** Single lines only: the last one. */
function positionOf({ path, side, lines }: ReviewRemark): GiteaPosition {
  return side === "new" ? { path, new_position: lines.last } : { path, old_position: lines.last };
}
