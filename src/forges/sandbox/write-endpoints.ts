import type { Account } from "#core/model/account.ts";
import type { Reaction } from "#core/model/conversation.ts";
import { type CommentId, type HeadSha, ReviewId, type ThreadId } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import { applyMerge } from "#forges/sandbox/apply-merge.ts";
import { type Endpoint, type EndpointCall, pullOf } from "#forges/sandbox/call-endpoint.ts";
import { addComment, addReply, type CommentPlace, changeCommentBody } from "#forges/sandbox/change-comments.ts";
import { addCommentReaction, addReaction, removeReaction } from "#forges/sandbox/change-reactions.ts";
import { resolveThread as resolve } from "#forges/sandbox/change-review.ts";
import { editPull } from "#forges/sandbox/edit-pull.ts";
import type { StatusState } from "#forges/sandbox/pull-state.ts";
import { recordPullChange } from "#forges/sandbox/record-change.ts";
import { EndpointRefusal, notFound } from "#forges/sandbox/refusal.ts";
import { reportStatus } from "#forges/sandbox/report-status.ts";
import { sendWebhooks } from "#forges/sandbox/send-webhook.ts";
import { wireComment } from "#forges/sandbox/to-wire.ts";
import type { WireCheckRun, WireComment, WireStatus } from "#forges/sandbox/wire.ts";
import { mayWrite, newestOf, type PullEntry, type World } from "#forges/sandbox/world.ts";

interface InPull {
  readonly number: number;
}

interface OnComment extends InPull {
  readonly comment: CommentId;
}

export const createComment = write<InPull & { readonly body: string }, WireComment>(
  "create_comment",
  (call, { number, body }) =>
    wireComment(call.world, addComment(call.world, pullOf(call, number), { by: call.asker, body })),
);

/** In the conversation; on Gitea wherever it is. */
export const editCommentEndpoint = write<OnComment & { readonly body: string }, null>(
  "edit_comment",
  (call, { number, comment, body }) => {
    const change = { by: call.asker, comment, body, place: conversationOf(call) };
    changeCommentBody(call.world, pullOf(call, number), change);
    return null;
  },
);

/** In a thread: GitHub has an address of its own for these. */
export const editReviewComment = write<OnComment & { readonly body: string }, null>(
  "edit_review_comment",
  (call, { number, comment, body }) => {
    githubOnly(call);
    changeCommentBody(call.world, pullOf(call, number), { by: call.asker, comment, body, place: "thread" });
    return null;
  },
);

type ReactionMade = OnComment & { readonly content: Reaction["content"] };

export const reactToComment = write<ReactionMade, "added" | "known">("react_to_comment", (call, made) => {
  const { number, ...reaction } = made;
  const place = conversationOf(call);
  return addCommentReaction(call.world, pullOf(call, number), { by: call.asker, ...reaction, place });
});

export const reactToReviewComment = write<ReactionMade, "added" | "known">("react_to_review_comment", (call, made) => {
  githubOnly(call);
  const { number, ...reaction } = made;
  return addCommentReaction(call.world, pullOf(call, number), { by: call.asker, ...reaction, place: "thread" });
});

/** GitHub's GraphQL alone: on Gitea the text of a review is a comment. */
export const reactToReview = write<ReactionMade, "added" | "known">("react_to_review", (call, made) => {
  githubOnly(call);
  const { number, ...reaction } = made;
  return addCommentReaction(call.world, pullOf(call, number), { by: call.asker, ...reaction, place: "review" });
});

interface PullReaction extends InPull {
  readonly content: Reaction["content"];
}

interface PullReactionMade {
  readonly outcome: "added" | "known";
  readonly createdAt: Instant;
}

export const reactToPull = write<PullReaction, PullReactionMade>("react_to_pull", (call, { number, content }) => {
  const entry = pullOf(call, number);
  const outcome = addReaction(call.world, entry, { by: call.asker, content });
  const made = newestOf(entry).reactions.find((one) => one.author.id === call.asker.id && one.content === content);
  if (made === undefined) throw notFound();
  return { outcome, createdAt: made.createdAt };
});

/** GitHub removes one reaction by its number, here its time; Gitea whichever the account has given. */
export const unreactToPull = write<PullReaction & { readonly createdAt: string | null }, null>(
  "unreact_to_pull",
  (call, { number, content, createdAt }) => {
    const entry = pullOf(call, number);
    const made = newestOf(entry).reactions.find((one) => one.author.id === call.asker.id && one.content === content);
    const isMeant = made !== undefined && (createdAt === null || String(made.createdAt) === createdAt);
    if (isMeant) removeReaction(call.world, entry, { by: call.asker, content });
    return null;
  },
);

export const createReply = write<InPull & { readonly thread: ThreadId; readonly body: string }, WireComment>(
  "create_reply",
  (call, { number, thread, body }) =>
    wireComment(call.world, addReply(call.world, pullOf(call, number), { by: call.asker, thread, body })),
);

export const resolveThreadEndpoint = write<InPull & { readonly thread: ThreadId }, null>(
  "resolve_thread",
  (call, { number, thread }) => {
    if (!call.world.quirks.resolvesThreads) throw new EndpointRefusal(405, "Method Not Allowed");
    resolve(call.world, pullOf(call, number), { by: call.asker, thread });
    return null;
  },
);

export type StatusRequest = Pick<WireStatus, "context" | "state" | "description"> & { readonly commit: HeadSha };

export const createStatus = write<StatusRequest, null>("create_status", async (call, request) => {
  const { commit, context, state, description } = request;
  await report(call, { form: "status", name: context, commit, state: stateOfStatus[state], words: description });
  return null;
});

const stateOfStatus = { pending: "pending", success: "passed", failure: "failed" } as const;

export type CheckRunRequest = Pick<WireCheckRun, "name" | "status" | "conclusion" | "output"> & {
  readonly commit: HeadSha;
};

const checkTitleCharactersMax = 255;

/** GitHub's apps alone. A title that is too long is refused. */
export const createCheckRun = write<CheckRunRequest, null>("create_check_run", async (call, request) => {
  githubOnly(call);
  if (call.asker.kind !== "bot") throw new EndpointRefusal(403, "check runs are made by apps");
  const { commit, name, conclusion, output } = request;
  if (output.title.length > checkTitleCharactersMax) throw new EndpointRefusal(422, "title is too long");
  const state = conclusion === null ? "pending" : conclusion === "neutral" ? "neutral" : stateOfStatus[conclusion];
  await report(call, { form: "check_run", name, commit, state, words: output.summary });
  return null;
});

async function report(call: EndpointCall, made: Omit<StatusState, "at" | "by" | "isGate">): Promise<void> {
  const { world, repository, asker } = call;
  if (!mayWrite(repository, asker)) throw new EndpointRefusal(403, "statuses need write permission");
  await reportStatus(world, repository, { ...made, by: asker, isGate: true });
}

interface LabelsRequest extends InPull {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

export const editLabelsEndpoint = write<LabelsRequest, null>("edit_labels", async (call, { number, add, remove }) => {
  const entry = pullOf(call, number);
  const kept = newestOf(entry).labels.filter((label) => !remove.includes(label));
  const labels = [...kept, ...add.filter((label) => !kept.includes(label))];
  if (!mayWrite(entry.repository, call.asker)) throw new EndpointRefusal(403, "labels need write permission");
  await editPull(call.world, entry, { by: call.asker, edit: { labels } });
  return null;
});

export const requestReviewers = write<InPull & { readonly reviewers: readonly Account[] }, null>(
  "request_reviewers",
  (call, { number, reviewers }) => {
    requestReviews(call.world, pullOf(call, number), { by: call.asker, reviewers });
    return null;
  },
);

/** GitHub answers with the commit, Gitea with nothing. */
export const mergeEndpoint = write<InPull & { readonly sha: HeadSha }, { readonly sha: HeadSha | null }>(
  "merge_pull",
  async (call, { number, sha }) => {
    const commit = await applyMerge(call.world, pullOf(call, number), { by: call.asker, head: sha, waits: "not" });
    return { sha: call.world.manner === "github" ? commit : null };
  },
);

export function write<Params, Body>(name: string, serve: Endpoint<Params, Body>["serve"]): Endpoint<Params, Body> {
  return { name, isWrite: true, serve };
}

/** Gitea keeps all comments in one table. */
function conversationOf({ world }: EndpointCall): CommentPlace {
  return world.manner === "github" ? "conversation" : "anywhere";
}

function githubOnly({ world }: EndpointCall): void {
  if (world.manner !== "github") throw notFound();
}

export function requestReviews(
  world: World,
  entry: PullEntry,
  { by, reviewers }: { readonly by: Account; readonly reviewers: readonly Account[] },
): void {
  const { requests, author } = newestOf(entry);
  if (!mayWrite(entry.repository, by)) throw new EndpointRefusal(403, "asking for reviews needs write permission");
  if (reviewers.some(({ id }) => id === author.id)) throw new EndpointRefusal(422, "the author can not review");
  const added = reviewers.filter(({ id }) => !requests.some((known) => known.of.id === id));
  if (added.length === 0) return;
  recordPullChange(world, entry, {
    by,
    what: { kind: "review_requested", of: added },
    next: { requests: [...requests, ...added.map((of) => ({ id: ReviewId.parse(world.nextId()), of }))] },
    moves: "changedAt",
  });
  sendWebhooks(world, entry.ref, { kind: "review_requested" });
}
