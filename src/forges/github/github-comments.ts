import { z } from "zod";
import type { Reaction } from "#core/model/conversation.ts";
import type { CommentId, ReviewId } from "#core/model/ids.ts";
import { Instant } from "#core/model/instant.ts";
import { reviewOfText } from "#core/model/review-text.ts";
import { isSuccess } from "#forges/forge-response.ts";
import { bodyOf, type Caller, callGraphql, callRest, callRestRaw, errorOf } from "#forges/github/github-call.ts";
import { type CommentSpace, commentIdOf, readCommentId } from "#forges/github/github-comment-id.ts";
import { reactionWord } from "#forges/github/github-map.ts";
import { atPull, nameParams, pullParams } from "#forges/github/github-paths.ts";
import { reactMutation, resolveMutation, threadRootQuery } from "#forges/github/github-queries.ts";
import { connection, GithubId } from "#forges/github/github-schema.ts";
import { type Forge, ForgeError } from "#ports/forge.ts";
import type { PullRef } from "#ports/pull-ref.ts";

type CommentWrites = Pick<
  Forge,
  "createComment" | "editComment" | "addReaction" | "claimPull" | "releasePull" | "replyInThread" | "resolveThread"
>;

const Made = z.object({ id: GithubId });
const ReactionMade = z.object({ id: GithubId, created_at: Instant });

const pullReactions = "/repos/{owner}/{repo}/issues/{issue_number}/reactions";

const RootAnswer = z.object({
  node: z.object({ comments: connection(z.object({ fullDatabaseId: GithubId })).optional() }).nullable(),
});

const addresses = {
  conversation: "/repos/{owner}/{repo}/issues/comments/{comment_id}",
  thread: "/repos/{owner}/{repo}/pulls/comments/{comment_id}",
} as const satisfies Record<CommentSpace, string>;

export function commentWrites(caller: Caller): CommentWrites {
  return {
    ...claims(caller),
    async createComment({ pull, body }) {
      const made = await callRest(caller, {
        ...talk(pull, "create comment"),
        method: "POST",
        path: "/repos/{owner}/{repo}/issues/{issue_number}/comments",
        params: { ...nameParams(pull.repository.name), issue_number: pull.number, body },
        shape: Made,
      });
      return commentIdOf("conversation", made.id);
    },
    async editComment({ pull, comment, body }) {
      const { path, params } = addressOf(pull, comment);
      const asked = talk(pull, "edit comment");
      await callRest(caller, { ...asked, method: "PATCH", path, params: { ...params, body }, shape: z.unknown() });
    },
    /** The same reaction again is answered with the one that is there. */
    async addReaction({ pull, comment, content }) {
      const review = reviewOfText(comment);
      if (review !== undefined) return await reactToReview(caller, { pull, review, content });
      const address = addressOf(pull, comment);
      await callRest(caller, {
        ...talk(pull, "add reaction"),
        method: "POST",
        path: `${address.path}/reactions`,
        params: { ...address.params, content },
        shape: z.unknown(),
      });
    },
    async replyInThread({ pull, thread, body }) {
      const since = caller.clock.now();
      const root = await fetchRoot(caller, pull, thread);
      const made = await callRest(caller, {
        ...talk(pull, "reply in thread"),
        since,
        method: "POST",
        path: "/repos/{owner}/{repo}/pulls/{pull_number}/comments/{comment_id}/replies",
        params: { ...pullParams(pull), comment_id: root, body },
        shape: Made,
      });
      return commentIdOf("thread", made.id);
    },
    async resolveThread({ pull, thread }) {
      await callGraphql(caller, {
        ...talk(pull, "resolve thread"),
        rights: "change",
        query: resolveMutation,
        variables: { thread },
        shape: z.unknown(),
      });
    },
  };
}

function claims(caller: Caller): Pick<Forge, "claimPull" | "releasePull"> {
  return {
    /** 201 for a new reaction, 200 for one that is there. */
    async claimPull({ pull, sign }) {
      const asked = {
        ...talk(pull, "claim pull"),
        method: "POST",
        path: pullReactions,
        params: { ...nameParams(pull.repository.name), issue_number: pull.number, content: sign },
        shape: ReactionMade,
      } as const;
      const answer = await callRestRaw(caller, asked);
      const { id, created_at } = bodyOf(asked, answer);
      if (answer.kind === "silence") throw errorOf(asked, answer);
      const kind = answer.status === 201 ? "claimed" : "held";
      return { kind, claim: id, ageMs: Math.max(0, answer.askedAt - created_at) };
    },
    async releasePull({ pull, claim }) {
      const asked = talk(pull, "release pull");
      const answer = await callRestRaw(caller, {
        ...asked,
        method: "DELETE",
        path: `${pullReactions}/{reaction_id}`,
        params: { ...nameParams(pull.repository.name), issue_number: pull.number, reaction_id: claim },
      });
      const isAbsent = answer.kind === "answered" && answer.status === 404;
      if (!isSuccess(answer) && !isAbsent) throw errorOf(asked, answer);
    },
  };
}

/** REST has no reactions on the text of a review. */
async function reactToReview(
  caller: Caller,
  {
    pull,
    review,
    content,
  }: { readonly pull: PullRef; readonly review: ReviewId; readonly content: Reaction["content"] },
): Promise<void> {
  const since = caller.clock.now();
  const seen = await callRest(caller, {
    ...atPull(pull),
    name: "look up review",
    manner: "look",
    rights: "look",
    method: "GET",
    path: "/repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}",
    params: { ...pullParams(pull), review_id: review },
    shape: z.object({ node_id: z.string() }),
  });
  await callGraphql(caller, {
    ...talk(pull, "add reaction"),
    since,
    query: reactMutation,
    variables: { subject: seen.node_id, content: reactionWord(content) },
    shape: z.unknown(),
  });
}

function talk(pull: PullRef, name: string) {
  return { ...atPull(pull), name, manner: "write", rights: "talk" } as const;
}

function addressOf(pull: PullRef, comment: CommentId) {
  const id = readCommentId(comment);
  if (id === undefined) throw noSuch(pull, `comment ${comment}`);
  const params = { ...nameParams(pull.repository.name), comment_id: id.number };
  return { path: addresses[id.space], params };
}

/** The remark that opened the thread may have been deleted. */
async function fetchRoot(caller: Caller, pull: PullRef, thread: string): Promise<number> {
  const { body } = await callGraphql(caller, {
    ...atPull(pull),
    name: "find thread",
    manner: "look",
    rights: "look",
    query: threadRootQuery,
    variables: { id: thread },
    shape: RootAnswer,
  });
  const [root] = body.node?.comments?.nodes ?? [];
  if (root === undefined) throw noSuch(pull, `thread ${thread}`);
  return Number(root.fullDatabaseId);
}

function noSuch({ repository, number }: PullRef, what: string): ForgeError {
  return new ForgeError("not_found", `github ${repository.name}#${number}: there is no ${what}`, { isApplied: "no" });
}
