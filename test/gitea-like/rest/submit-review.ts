import { z } from "zod";
import { HeadSha, type ThreadId } from "#core/model/ids.ts";
import { readFileAt } from "#forge-like/read-file-at.ts";
import { applyReview as submit } from "#forges/sandbox/apply-review.ts";
import { makeComment } from "#forges/sandbox/change-comments.ts";
import { isPending, isVisibleTo, type ReviewEvent, type ReviewState } from "#forges/sandbox/pull-state.ts";
import { EndpointRefusal } from "#forges/sandbox/refusal.ts";
import { newestOf } from "#forges/sandbox/world.ts";
import { reviewBody } from "#gitea-like/rest/review-body.ts";
import { type Asked, readBody } from "#gitea-like/rest/route.ts";
import type { PullSight } from "#gitea-like/sight.ts";
import type { ReviewRemark } from "#ports/forge.ts";

const Remark = z.object({
  path: z.string().default(""),
  body: z.string().default(""),
  new_position: z.number().int().default(0),
  old_position: z.number().int().default(0),
});
const Verdict = z.object({ event: z.string().default(""), body: z.string().default("") });
const Submission = Verdict.extend({
  commit_id: z.string().default(""),
  comments: z
    .array(Remark)
    .nullish()
    .transform((remarks) => remarks ?? []),
});

/** Its remarks go into a pending review first, which stays where the rest fails. */
export async function submitReview(pull: PullSight, asked: Asked): Promise<object> {
  const { event, body, commit_id, comments } = readBody(Submission, asked);
  const kind = readEvent(pull, { event, body, hasRemarks: comments.length > 0 });
  const head = newestOf(pull.entry).head.sha;
  return send(pull, {
    event: kind,
    body,
    commit: commit_id === "" ? head : commit_id,
    remarks: comments.map(toRemark),
  });
}

/** One that was begun before. Everything in it is submitted at the head of now. */
export async function submitPending(pull: PullSight, review: ReviewState, asked: Asked): Promise<object> {
  if (!isPending(review)) throw new EndpointRefusal(422, "only a pending review can be submitted");
  const { event, body } = readBody(Verdict, asked);
  const hasRemarks = pull.state.threads.some((thread) => thread.review === review.id);
  const kind = readEvent(pull, { event, body, hasRemarks });
  if (kind === "pending") throw new EndpointRefusal(422, "review stay pending");
  return send(pull, { event: kind, body, commit: newestOf(pull.entry).head.sha, remarks: [] });
}

interface Sending {
  readonly event: ReviewEvent | "pending";
  readonly body: string;
  readonly commit: string;
  readonly remarks: readonly ReviewRemark[];
}

async function send(pull: PullSight, { event, body, commit, remarks }: Sending): Promise<object> {
  const { sight, entry } = pull;
  const { world, asker: by, extras } = sight;
  const known = HeadSha.safeParse(commit).data;
  const { replies, fresh } = sortOut(pull, { remarks, event, isKnown: known !== undefined });
  const asked = newestOf(entry).requests.find(({ of }) => of.id === by.id);
  const made = replies.map(({ thread, remark }) => ({
    thread,
    comment: makeComment(world, { by, body: remark.body }),
  }));
  const review = await submit(world, entry, {
    by,
    event,
    body,
    commit: known ?? noCommit,
    remarks: fresh,
    replies: made,
    breaksDown: sight.breaksDown || (await areTooFar(pull, fresh, known)),
  });
  for (const { comment } of made) extras.madeIn.set(comment.id, review.id);
  // Before 1.27 the request was forgotten where a review was pending for a moment.
  const isLeft = remarks.length > 0 && event !== "pending" && !sight.version.isFrom(27);
  if (isLeft && asked !== undefined) extras.leftRequests.set(review.id, asked);
  return reviewBody({ ...pull, state: newestOf(entry) }, review);
}

/** In no repository. */
const noCommit = HeadSha.parse("0".repeat(40));

/** Three words are known, and any other one is taken for "not yet". */
function readEvent(
  { sight, state }: PullSight,
  { event, body, hasRemarks }: { readonly event: string; readonly body: string; readonly hasRemarks: boolean },
): ReviewEvent | "pending" {
  const kind = events.get(event) ?? "pending";
  const isOwn = state.author.id === sight.asker.id;
  const isEmpty = body.trim() === "";
  if (isOwn && kind === "approve") throw new EndpointRefusal(422, "approve your own pull is not allowed");
  if (isOwn && kind === "request_changes") throw new EndpointRefusal(422, "reject your own pull is not allowed");
  if (isEmpty && kind === "comment" && !hasRemarks) {
    throw new EndpointRefusal(422, `review event ${event} requires a body or a comment`);
  }
  if (isEmpty && (kind === "request_changes" || kind === "pending")) {
    throw new EndpointRefusal(422, `review event ${event} requires a body`);
  }
  if (kind !== "comment" && kind !== "pending" && state.state !== "open" && sight.version.isFrom(22)) {
    throw new EndpointRefusal(422, "can't submit review for a closed or merged PR");
  }
  return kind;
}

const events: ReadonlyMap<string, ReviewEvent> = new Map([
  ["APPROVED", "approve"],
  ["REQUEST_CHANGES", "request_changes"],
  ["COMMENT", "comment"],
]);

/** A line of the old file counts where both are named. */
function toRemark({ path, body, new_position, old_position }: z.infer<typeof Remark>): ReviewRemark {
  const isOld = old_position > 0;
  const line = isOld ? old_position : new_position;
  return { path, body, side: isOld ? "old" : "new", lines: { first: line, last: line } };
}

interface Sorted {
  readonly replies: readonly { readonly thread: ThreadId; readonly remark: ReviewRemark }[];
  readonly fresh: readonly ReviewRemark[];
}

/**
 * All that was said on a line of a file is one conversation there, whichever review it came with. A pending review keeps
 * its remarks to itself.
 */
function sortOut(
  { sight, entry }: PullSight,
  { remarks, event, isKnown }: Pick<Sending, "remarks" | "event"> & { readonly isKnown: boolean },
): Sorted {
  if (event === "pending" || !isKnown) return { replies: [], fresh: remarks };
  const state = newestOf(entry);
  const pending = new Set(state.reviews.filter(isPending).map(({ id }) => id));
  const open = state.threads.filter((thread) => !pending.has(thread.review) && isVisibleTo(state, thread, sight.asker));
  const sorted = remarks.map((remark) => {
    const { path, side, lines } = remark;
    const thread = open.find((known) => known.path === path && known.side === side && known.line === lines.last);
    return { thread, remark };
  });
  return {
    replies: sorted.flatMap(({ thread, remark }) => (thread === undefined ? [] : [{ thread: thread.id, remark }])),
    fresh: sorted.filter(({ thread }) => thread === undefined).map(({ remark }) => remark),
  };
}

/** 1.27 breaks down over a line behind the end of a file, which it used to take. A file that is not there is no matter. */
async function areTooFar(
  { sight, entry }: PullSight,
  remarks: readonly ReviewRemark[],
  commit: HeadSha | undefined,
): Promise<boolean> {
  if (!sight.version.isFrom(27) || commit === undefined) return false;
  for (const { path, side, lines } of remarks) {
    if (side === "old") continue;
    const content = await readFileAt(sight, entry.repository, { commit, path });
    if (content !== undefined && lines.last > content.toString("utf8").split("\n").length - 1) return true;
  }
  return false;
}
