import type { Account } from "#core/model/account.ts";
import type { Check, Thread } from "#core/model/conversation.ts";
import type { HeadSha, ReviewId, Untrusted } from "#core/model/ids.ts";
import { type LimitName, limits } from "#core/model/limits.ts";
import { cutBodies } from "#forges/cut-bodies.ts";
import { headRefOf } from "#forges/sandbox/detect-pushes.ts";
import {
  getPull,
  listCheckRuns,
  listComments,
  listReactions,
  listReviewComments,
  listReviewsEndpoint,
  listReviewThreads,
  listStatuses,
  listThreadComments,
  listTimeline,
} from "#forges/sandbox/read-endpoints.ts";
import type { SandboxManner } from "#forges/sandbox/sandbox.ts";
import { allPages, type Caller, call, callDated } from "#forges/sandbox/sandbox-call.ts";
import { readGateCheckRun, readGateStatus } from "#forges/sandbox/sandbox-gate.ts";
import {
  type ReviewedComment,
  readCheckRun,
  readComment,
  readConversations,
  readPull,
  readReaction,
  readReview,
  readStatus,
  readThread,
} from "#forges/sandbox/sandbox-map.ts";
import type { WirePull, WireReview, WireUser } from "#forges/sandbox/wire.ts";
import { type FetchedPull, ForgeError } from "#ports/forge.ts";
import type { PullRef } from "#ports/pull-ref.ts";

interface Look {
  readonly caller: Caller;
  readonly manner: SandboxManner;
  readonly bot: Account;
  readonly gateName: string;
  readonly pull: PullRef;
  readonly note: (limit: LimitName, isCut: boolean) => void;
}

export async function fetchPull(from: Omit<Look, "note">): Promise<FetchedPull> {
  const { caller, pull: place } = from;
  const reached = new Set<LimitName>();
  const look: Look = { ...from, note: (limit, isCut) => isCut && reached.add(limit) };
  const params = { number: place.number };
  const { body: wire, date } = await callDated(caller, { endpoint: getPull, place, params });
  const { reactions, checks, gate, ...texts } = await fetchParts(look, wire).catch(sayMissingPart);
  return {
    observedAt: date,
    ...cutBodies({ pull: readPull(place.repository, wire), ...texts }, look.note),
    reactions,
    checks,
    gate,
    limitsReached: [...reached],
    changedAt: wire.updated_at,
    headRef: headRefOf(place.number),
  };
}

type Parts = Pick<FetchedPull, "comments" | "reviews" | "threads" | "reactions" | "checks" | "gate">;

async function fetchParts(look: Look, wire: WirePull): Promise<Parts> {
  const comments = await fetchComments(look);
  const wireReviews = await fetchReviews(look);
  const bodies = look.manner === "gitea" ? await fetchReviewBodies(look) : new Map();
  const threads = await fetchThreads(look, wireReviews);
  const reactions = await fetchReactions(look);
  const { checks, gate } = await fetchChecks(look, wire.head.sha);
  const readings = { bodies, createdAt: wire.created_at };
  const reviews = wireReviews.map((review) => readReview(review, readings)).filter((review) => review !== undefined);
  return { comments, reviews, threads, reactions, checks, gate };
}

/** The pull was there; a missing part went meanwhile, or lists differ in age. The pull does not count as gone. */
function sayMissingPart(error: unknown): never {
  if (!(error instanceof ForgeError) || error.kind !== "not_found") throw error;
  throw new ForgeError("unavailable", error.message, { isApplied: "no", cause: error });
}

async function fetchComments({ caller, pull: place, note }: Look): Promise<FetchedPull["comments"]> {
  const { number } = place;
  const { items, isCut } = await allPages(limits.commentsMax, (page) =>
    call(caller, { endpoint: listComments, place, params: { number, page } }),
  );
  note("commentsMax", isCut);
  return items.map(readComment);
}

async function fetchReviews({ caller, pull: place, note }: Look): Promise<readonly WireReview[]> {
  const { number } = place;
  const { items, isCut } = await allPages(limits.reviewsMax, (page) =>
    call(caller, { endpoint: listReviewsEndpoint, place, params: { number, page } }),
  );
  note("reviewsMax", isCut);
  return items;
}

/** The list may tell first texts; the timeline tells the present ones. */
async function fetchReviewBodies({ caller, pull: place, note }: Look): Promise<ReadonlyMap<ReviewId, Untrusted>> {
  const { number } = place;
  const entriesMax = limits.commentsMax + limits.reviewsMax;
  const { items, isCut } = await allPages(entriesMax, (page) =>
    call(caller, { endpoint: listTimeline, place, params: { number, page } }),
  );
  note("reviewsMax", isCut);
  const bodies = new Map<ReviewId, Untrusted>();
  for (const { review_id, body } of items) if (review_id !== null) bodies.set(review_id, body);
  return bodies;
}

async function fetchThreads(look: Look, reviews: readonly WireReview[]): Promise<readonly Thread[]> {
  const found = look.manner === "github" ? await fetchWholeThreads(look) : await fetchConversations(look, reviews);
  look.note("threadsMax", found.length > limits.threadsMax);
  return found.slice(0, limits.threadsMax).map((thread) => {
    if (thread.comments.length <= limits.threadCommentsMax) return thread;
    look.note("threadCommentsMax", true);
    return { ...thread, comments: thread.comments.slice(0, limits.threadCommentsMax) };
  });
}

async function fetchWholeThreads({ caller, pull: place, note }: Look): Promise<readonly Thread[]> {
  const { number } = place;
  const { items, isCut } = await allPages(limits.threadsMax, (page) =>
    call(caller, { endpoint: listReviewThreads, place, params: { number, page } }),
  );
  note("threadsMax", isCut);
  const threads: Thread[] = [];
  for (const wire of items) {
    const fetchPage = (page: number) =>
      call(caller, { endpoint: listThreadComments, place, params: { number, thread: wire.id, page } });
    const comments = await allPages(limits.threadCommentsMax, fetchPage, wire.comments);
    note("threadCommentsMax", comments.isCut);
    const thread = readThread(wire, comments.items);
    if (thread !== undefined) threads.push(thread);
  }
  return threads;
}

/** There is no list of them all. */
async function fetchConversations(look: Look, reviews: readonly WireReview[]): Promise<readonly Thread[]> {
  const { caller, pull: place } = look;
  const { number } = place;
  const comments: ReviewedComment[] = [];
  for (const { id: review, state, comments_count, commit_id: commit } of reviews) {
    if (state === "PENDING" || comments_count === 0) continue;
    const found = await call(caller, { endpoint: listReviewComments, place, params: { number, review } });
    comments.push(...found.map((comment) => ({ comment, commit })));
  }
  return readConversations(comments);
}

async function fetchReactions({ caller, pull: place, note }: Look): Promise<FetchedPull["reactions"]> {
  const { number } = place;
  const { items, isCut } = await allPages(limits.reactionsMax, (page) =>
    call(caller, { endpoint: listReactions, place, params: { number, page } }),
  );
  note("reactionsMax", isCut);
  return items.map(readReaction);
}

async function fetchChecks(look: Look, head: HeadSha): Promise<Pick<FetchedPull, "checks" | "gate">> {
  const { caller, manner, bot, gateName, pull: place, note } = look;
  const statuses = await allPages(limits.checksMax, (page) =>
    call(caller, { endpoint: listStatuses, place, params: { commit: head, page } }),
  );
  note("checksMax", statuses.isCut);
  const isOwn = (name: string, by: WireUser): boolean => name === gateName && by.id === bot.id;
  const others = statuses.items.filter(({ context, creator }) => !isOwn(context, creator));
  const checks: Check[] = others.map((status) => readStatus(status, head));
  const own = statuses.items.find(({ context, creator }) => isOwn(context, creator));
  const gate = own === undefined ? null : readGateStatus(own, head);
  if (manner === "gitea") return { checks, gate };
  const runs = await allPages(limits.checksMax, (page) =>
    call(caller, { endpoint: listCheckRuns, place, params: { commit: head, page } }),
  );
  note("checksMax", runs.isCut);
  const ownRun = runs.items.find(({ name, app }) => isOwn(name, app));
  for (const run of runs.items) if (run !== ownRun) checks.push(readCheckRun(run, head));
  return { checks, gate: ownRun === undefined ? gate : readGateCheckRun(ownRun, head) };
}
