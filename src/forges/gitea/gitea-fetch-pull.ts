import { z } from "zod";
import type { Account } from "#core/model/account.ts";
import { HeadSha } from "#core/model/ids.ts";
import { type LimitName, limits } from "#core/model/limits.ts";
import { cutBodies } from "#forges/cut-bodies.ts";
import { type Caller, call, callDated, callPages } from "#forges/gitea/gitea-call.ts";
import { fetchStatuses, readChecks } from "#forges/gitea/gitea-checks.ts";
import { malformedResponse } from "#forges/gitea/gitea-error.ts";
import { giteaLimits } from "#forges/gitea/gitea-limits.ts";
import { hasRemarks, isSubmitted, listRemarks, listReviews } from "#forges/gitea/gitea-list-reviews.ts";
import { readComment, readPull, readReaction } from "#forges/gitea/gitea-map.ts";
import type { ReadMergeability } from "#forges/gitea/gitea-mergeability.ts";
import { issuePath, pullPath, whereOf } from "#forges/gitea/gitea-paths.ts";
import type { GiteaServer } from "#forges/gitea/gitea-probe.ts";
import { readReviews } from "#forges/gitea/gitea-read-reviews.ts";
import { GiteaComment, GiteaPull, GiteaReaction, type GiteaReview } from "#forges/gitea/gitea-schema.ts";
import { type PlacedThread, readThreads } from "#forges/gitea/gitea-threads.ts";
import { basedSince, fetchTimeline, pushedAt, reviewEntries, type Timeline } from "#forges/gitea/gitea-timeline.ts";
import { mapConcurrently } from "#forges/map-concurrently.ts";
import { type FetchedPull, ForgeError } from "#ports/forge.ts";
import type { PullRef } from "#ports/pull-ref.ts";

export interface GiteaFetchContext {
  readonly caller: Caller;
  readonly server: GiteaServer;
  readonly bot: Account;
  readonly gateName: string;
  readonly pull: PullRef;
  readonly readMergeability: ReadMergeability;
  readonly onThreads: (threads: readonly PlacedThread[]) => void;
}

interface Noting extends GiteaFetchContext {
  readonly wire: GiteaPull;
  readonly note: (limit: LimitName, isCut: boolean) => void;
}

export async function fetchPull(look: GiteaFetchContext): Promise<FetchedPull> {
  const { pull: ref } = look;
  const { body: wire, answer } = await fetchWire(look);
  const reached = new Set<LimitName>();
  const noting: Noting = { ...look, wire, note: (limit, isCut) => isCut && reached.add(limit) };
  const { timeline, reviews, reactions, checks, gate, ...texts } = await fetchParts(noting).catch(sayMissingPart);
  const pushed = pushedAt(timeline, wire.head.sha);
  const pull = readPull(ref.repository, wire, {
    pushedAt: pushed,
    basedSince: basedSince(timeline, wire),
    mergeability: look.readMergeability({ ref, pull: wire, pushedAt: pushed, now: answer.askedAt }),
    reviews,
  });
  if (pull === undefined) throw malformedResponse(`${whereOf(ref)}: fetch pull`, false, "the head is not told");
  return {
    observedAt: answer.askedAt,
    ...cutBodies(
      { pull, ...texts, reviews: readReviews(reviews, { timeline, pull: wire, bot: look.bot }) },
      noting.note,
    ),
    reactions,
    checks,
    gate,
    limitsReached: [...reached],
    changedAt: wire.updated_at,
    headRef: `refs/pull/${ref.number}/head`,
  };
}

async function fetchWire({ caller, pull }: GiteaFetchContext) {
  const found = await callDated(caller, {
    where: whereOf(pull),
    name: "fetch pull",
    manner: "read",
    method: "GET",
    path: pullPath(pull),
    shape: GiteaPull,
  });
  if (String(found.body.base.repo_id) === pull.repository.id) return found;
  const message = `gitea ${whereOf(pull)}: it is another repository by now`;
  throw new ForgeError("not_found", message, { isApplied: "no" });
}

interface Parts extends Pick<FetchedPull, "comments" | "threads" | "reactions" | "checks" | "gate"> {
  readonly timeline: Timeline;
  readonly reviews: readonly GiteaReview[];
}

async function fetchParts(noting: Noting): Promise<Parts> {
  const { caller, server, bot, gateName, pull, wire, note } = noting;
  const { pageSize } = server;
  const reviews = await listReviews(caller, pull, { manner: "read" });
  note("reviewsMax", reviews.isCut);
  const remarks = reviews.items.reduce((sum, { comments_count }) => sum + comments_count, 0);
  const said = await listComments(noting);
  const awaited = {
    comments: said.map(({ id }) => id),
    reviews: reviews.items.filter(isSubmitted).map(({ id }) => id),
  };
  const timeline = await fetchTimeline({ caller, pull, pageSize, remarks, awaited, manner: "read" });
  // Only the timeline tells dismissals and times of submission.
  note("reviewsMax", timeline.isCut);
  note("commentsMax", said.length > limits.commentsMax);
  const statuses = await fetchStatuses(caller, { pull, head: wire.head.sha, pageSize });
  note("checksMax", statuses.isCut);
  return {
    timeline,
    reviews: reviews.items,
    comments: said.slice(0, limits.commentsMax).map(readComment),
    threads: await fetchThreads(noting, reviews.items, timeline),
    reactions: await fetchReactions(noting),
    ...readChecks(statuses.items, { head: HeadSha.parse(wire.head.sha), bot, gateName }),
  };
}

/** In one answer. The timeline has them too, but hides those behind too much that we may not see. */
async function listComments({ caller, pull }: Noting): Promise<readonly GiteaComment[]> {
  const found = await call(caller, {
    where: whereOf(pull),
    name: "fetch comments",
    manner: "read",
    method: "GET",
    path: `${issuePath(pull)}/comments`,
    shape: z.array(GiteaComment).nullable(),
  });
  return found ?? [];
}

/** The pull was there; a missing part went meanwhile, or lists differ in age. The pull does not count as gone. */
function sayMissingPart(error: unknown): never {
  if (!(error instanceof ForgeError) || error.kind !== "not_found") throw error;
  throw new ForgeError("unavailable", error.message, { isApplied: "no", cause: error });
}

async function fetchThreads(
  noting: Noting,
  reviews: readonly GiteaReview[],
  timeline: Timeline,
): Promise<FetchedPull["threads"]> {
  const { caller, bot, pull, note } = noting;
  const entries = reviewEntries(timeline);
  const remarked = await mapConcurrently(reviews.filter(hasRemarks), giteaLimits.requestsAtOnceMax, async (review) => ({
    review,
    bodyComment: Number(entries.get(review.id)?.id ?? review.html_url),
    remarks: await listRemarks(caller, { pull, review: review.id }, { manner: "read" }),
  }));
  const threads = readThreads(remarked, bot);
  noting.onThreads(threads);
  note("threadsMax", threads.length > limits.threadsMax);
  return threads.slice(0, limits.threadsMax).map(({ thread }) => {
    if (thread.comments.length <= limits.threadCommentsMax) return thread;
    note("threadCommentsMax", true);
    return { ...thread, comments: thread.comments.slice(0, limits.threadCommentsMax) };
  });
}

async function fetchReactions({ caller, pull, note }: Noting): Promise<FetchedPull["reactions"]> {
  const { items, isCut } = await fetchGiteaReactions(caller, pull);
  note("reactionsMax", isCut);
  return items.map(readReaction).filter((reaction) => reaction !== undefined);
}

/** An unreadable reaction approves nothing. */
export async function fetchGiteaReactions(
  caller: Caller,
  pull: PullRef,
): Promise<{ readonly items: readonly GiteaReaction[]; readonly isCut: boolean }> {
  const { items, isCut } = await callPages(caller, {
    where: whereOf(pull),
    name: "fetch reactions",
    manner: "read",
    method: "GET",
    path: `${issuePath(pull)}/reactions`,
    shape: z.union([GiteaReaction, z.unknown().transform(() => null)]),
    itemsMax: limits.reactionsMax,
  });
  return { items: items.filter((reaction) => reaction !== null), isCut };
}
