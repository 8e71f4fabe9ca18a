import { z } from "zod";
import { CommentId, type ThreadId } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import { call } from "#forges/gitea/gitea-call.ts";
import { hasRemarks, listRemarks, listReviews } from "#forges/gitea/gitea-list-reviews.ts";
import { pullPath, readGiteaId, repositoryPath, whereOf } from "#forges/gitea/gitea-paths.ts";
import { clearPending, fetchHead, type GiteaReviewContext, isKnownCommit } from "#forges/gitea/gitea-pending-review.ts";
import type { FetchServer } from "#forges/gitea/gitea-probe.ts";
import { GiteaId } from "#forges/gitea/gitea-schema.ts";
import { postReview } from "#forges/gitea/gitea-submit-review.ts";
import type { ThreadLocations } from "#forges/gitea/gitea-thread-locations.ts";
import { readThreads, replyMark, type ThreadLocation } from "#forges/gitea/gitea-threads.ts";
import { type Forge, ForgeError } from "#ports/forge.ts";
import type { PullRef } from "#ports/pull-ref.ts";

type ThreadWrites = Pick<Forge, "replyInThread" | "resolveThread">;

export interface GiteaThreadContext extends GiteaReviewContext {
  readonly fetchServer: FetchServer;
  readonly places: ThreadLocations;
}

const Made = z.object({ id: GiteaId });

export function threadWrites(parts: GiteaThreadContext): ThreadWrites {
  const { caller } = parts;
  return {
    async replyInThread(request) {
      const since = caller.clock.now();
      const root = rootOf(request.pull, request.thread);
      const { hasReplies } = await parts.fetchServer({ manner: "look", since });
      // A line has one conversation per review, perhaps with several threads.
      const isShared = parts.places.find(request.pull, request.thread)?.isShared ?? false;
      if (!hasReplies || isShared) return await replyByReview(parts, { ...request, root, since });
      const made = await call(caller, {
        where: whereOf(request.pull),
        name: "reply in thread",
        manner: "write",
        since,
        method: "POST",
        path: `${pullPath(request.pull)}/comments/${root}/replies`,
        body: { body: request.body },
        shape: Made,
      });
      return CommentId.parse(made.id);
    },
    async resolveThread({ pull, thread }) {
      await call(caller, {
        where: whereOf(pull),
        name: "resolve thread",
        manner: "write",
        method: "POST",
        path: `${repositoryPath(pull.repository)}/pulls/comments/${rootOf(pull, thread)}/resolve`,
        shape: z.unknown(),
      });
    },
  };
}

/** A thread goes by the number of its first remark. */
function rootOf(pull: PullRef, thread: ThreadId): number {
  const root = readGiteaId(thread);
  if (root !== undefined) return root;
  throw noThread(pull, thread);
}

interface Reply {
  readonly pull: PullRef;
  readonly thread: ThreadId;
  readonly root: number;
  readonly body: string;
  readonly since: Instant;
}

/** Before 1.27 only the browser can reply, later only to a whole line: a reply is a review that names the thread. */
async function replyByReview(
  parts: GiteaThreadContext,
  { pull, thread, root, body, since }: Reply,
): Promise<CommentId> {
  const { caller } = parts;
  const how = { manner: "look", since } as const;
  const location = parts.places.find(pull, thread) ?? (await findPlace(parts, { pull, thread, since }));
  if (location === undefined) throw noThread(pull, thread);
  const { path, side, line } = location;
  const commit = await fetchCommit(parts, { pull, since }, location);
  await clearPending(parts, pull, how);
  const lines = { first: line, last: line };
  const remarks = [{ path, side, lines, body }];
  const review = await postReview(parts, { pull, commit, event: "comment", body: replyMark(root), remarks, since });
  const made = await listRemarks(caller, { pull, review }, how).catch(sayApplied);
  const [remark] = made;
  if (remark !== undefined) return CommentId.parse(String(remark.id));
  const message = `gitea ${whereOf(pull)}: reply in thread: it is not to be seen yet`;
  throw new ForgeError("unavailable", message, { isApplied: "unknown" });
}

/** Gitea finds the same line on the thread's commit; where that is gone, on the head. */
async function fetchCommit(
  { caller }: GiteaThreadContext,
  { pull, since }: Pick<Reply, "pull" | "since">,
  { commit }: ThreadLocation,
): Promise<string> {
  const how = { manner: "look", since } as const;
  const head = await fetchHead(caller, pull, how);
  if (commit === null || commit === head) return head;
  return (await isKnownCommit(caller, { pull, commit }, how)) ? commit : head;
}

/** Nothing but the remarks of all reviews tells where a remark stands. */
async function findPlace(
  { caller, fetchBot }: GiteaThreadContext,
  { pull, thread, since }: Pick<Reply, "pull" | "thread" | "since">,
): Promise<ThreadLocation | undefined> {
  const how = { manner: "look", since } as const;
  const bot = await fetchBot(how);
  const { items } = await listReviews(caller, pull, how);
  for (const review of items.filter(hasRemarks).toReversed()) {
    const remarks = await listRemarks(caller, { pull, review: review.id }, how);
    const threads = readThreads([{ review, bodyComment: Number(review.html_url), remarks }], bot);
    const found = threads.find(({ thread: { id } }) => id === thread);
    if (found !== undefined) return found.location;
  }
  return undefined;
}

/** The reply itself was made by then. */
function sayApplied(error: unknown): never {
  if (!(error instanceof ForgeError)) throw error;
  throw new ForgeError(error.kind, error.message, { isApplied: "unknown", retryAt: error.retryAt, cause: error });
}

function noThread(pull: PullRef, thread: ThreadId): ForgeError {
  return new ForgeError("not_found", `gitea ${whereOf(pull)}: there is no thread ${thread}`, { isApplied: "no" });
}
