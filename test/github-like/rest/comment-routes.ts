import { z } from "zod";
import type { Comment } from "#core/model/conversation.ts";
import type { CommentId } from "#core/model/ids.ts";
import { addComment, addReply, changeCommentBody, removeComment } from "#forges/sandbox/change-comments.ts";
import type { ThreadState } from "#forges/sandbox/pull-state.ts";
import { notFound } from "#forges/sandbox/refusal.ts";
import { newestOf, type Repository } from "#forges/sandbox/world.ts";
import type { CommentSpace } from "#github-like/numbers.ts";
import { issueCommentBody, reviewCommentBody, visibleThreads } from "#github-like/rest/comment-body.ts";
import { page } from "#github-like/rest/page.ts";
import {
  type Asked,
  created,
  nothing,
  numberParam,
  ok,
  type Route,
  readBody,
  repositoryName,
  type Said,
} from "#github-like/rest/route.ts";
import type { Need } from "#github-like/rights.ts";
import { entryOf, findPull, mustFindRepository, type PullSight, type Sight } from "#github-like/sight.ts";

const Text = z.object({ body: z.string() });

const readsTalk: readonly Need[] = [
  ["issues", "read"],
  ["pull_requests", "read"],
];
const writesTalk: readonly Need[] = [
  ["issues", "write"],
  ["pull_requests", "write"],
];
const readsPulls: readonly Need[] = [["pull_requests", "read"]];
const writesPulls: readonly Need[] = [["pull_requests", "write"]];

const oneIssueComment = "/repos/{owner}/{repo}/issues/comments/{comment_id}";
const oneReviewComment = "/repos/{owner}/{repo}/pulls/comments/{comment_id}";

export const commentRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/repos/{owner}/{repo}/issues/{issue_number}/comments",
    name: "list_comments",
    isWrite: false,
    needs: readsTalk,
    async serve(sight, asked) {
      const pull = await pullAsked(sight, asked, "issue_number");
      const since = Date.parse(asked.query.get("since") ?? "");
      const items = pull.state.comments.filter((comment) => !((comment.editedAt ?? comment.createdAt) < since));
      const path = `/repos/${repositoryName(asked)}/issues/${pull.entry.ref.number}/comments`;
      return page(sight, asked, { items, path, toBody: (comment) => issueCommentBody(pull, comment) });
    },
  },
  {
    method: "POST",
    path: "/repos/{owner}/{repo}/issues/{issue_number}/comments",
    name: "create_comment",
    isWrite: true,
    needs: writesTalk,
    async serve(sight, asked) {
      const repository = await mustFindRepository(sight, repositoryName(asked));
      const entry = entryOf(repository, numberParam(asked, "issue_number"));
      const { body } = readBody(Text, asked);
      const comment = addComment(sight.world, entry, { by: sight.asker, body });
      return created(issueCommentBody({ sight, entry, state: newestOf(entry) }, comment));
    },
  },
  {
    method: "GET",
    path: oneIssueComment,
    name: "get_comment",
    isWrite: false,
    needs: readsTalk,
    async serve(sight, asked) {
      const { pull, comment } = await findIssueComment(sight, asked);
      return ok(issueCommentBody(pull, comment));
    },
  },
  {
    method: "PATCH",
    path: oneIssueComment,
    name: "edit_comment",
    isWrite: true,
    needs: writesTalk,
    async serve(sight, asked) {
      await edit(sight, asked, "issue");
      const { pull, comment } = await findIssueComment(sight, asked);
      return ok(issueCommentBody(pull, comment));
    },
  },
  {
    method: "DELETE",
    path: oneIssueComment,
    name: "delete_comment",
    isWrite: true,
    needs: writesTalk,
    serve: (sight, asked) => remove(sight, asked, "issue"),
  },
  {
    method: "GET",
    path: "/repos/{owner}/{repo}/pulls/{pull_number}/comments",
    name: "list_review_comments",
    isWrite: false,
    needs: readsPulls,
    async serve(sight, asked) {
      const pull = await pullAsked(sight, asked, "pull_number");
      const path = `/repos/${repositoryName(asked)}/pulls/${pull.entry.ref.number}/comments`;
      return page(sight, asked, {
        items: remarksOf(pull),
        path,
        toBody: ({ thread, comment }) => reviewCommentBody(pull, thread, comment),
      });
    },
  },
  {
    method: "GET",
    path: oneReviewComment,
    name: "get_review_comment",
    isWrite: false,
    needs: readsPulls,
    async serve(sight, asked) {
      const { pull, thread, comment } = await findReviewComment(sight, asked);
      return ok(reviewCommentBody(pull, thread, comment));
    },
  },
  {
    method: "PATCH",
    path: oneReviewComment,
    name: "edit_review_comment",
    isWrite: true,
    needs: writesPulls,
    async serve(sight, asked) {
      await edit(sight, asked, "review");
      const { pull, thread, comment } = await findReviewComment(sight, asked);
      return ok(reviewCommentBody(pull, thread, comment));
    },
  },
  {
    method: "DELETE",
    path: oneReviewComment,
    name: "delete_review_comment",
    isWrite: true,
    needs: writesPulls,
    serve: (sight, asked) => remove(sight, asked, "review"),
  },
  {
    method: "POST",
    path: "/repos/{owner}/{repo}/pulls/{pull_number}/comments/{comment_id}/replies",
    name: "create_reply",
    isWrite: true,
    needs: writesPulls,
    async serve(sight, asked) {
      const repository = await mustFindRepository(sight, repositoryName(asked));
      const entry = entryOf(repository, numberParam(asked, "pull_number"));
      const { body } = readBody(Text, asked);
      const top = sight.numbers.findComment("review", numberParam(asked, "comment_id"));
      // Only the first comment of a thread can be replied to.
      const thread = newestOf(entry).threads.find(({ comments }) => comments[0]?.id === top);
      if (top === undefined || thread === undefined) throw notFound();
      const comment = addReply(sight.world, entry, { by: sight.asker, thread: thread.id, body });
      return created(reviewCommentBody({ sight, entry, state: newestOf(entry) }, thread, comment));
    },
  },
];

export async function pullAsked(sight: Sight, asked: Asked, name: "issue_number" | "pull_number"): Promise<PullSight> {
  const repository = await mustFindRepository(sight, repositoryName(asked));
  const pull = findPull(sight, repository, numberParam(asked, name));
  if (pull === undefined) throw notFound();
  return pull;
}

interface Remark {
  readonly thread: ThreadState;
  readonly comment: Comment;
}

export function remarksOf(pull: PullSight): readonly Remark[] {
  const remarks = visibleThreads(pull).flatMap((thread) => thread.comments.map((comment) => ({ thread, comment })));
  const { numbers } = pull.sight;
  const numberOf = ({ comment }: Remark): number => numbers.commentNumber("review", comment.id);
  return remarks.sort((one, other) => numberOf(one) - numberOf(other));
}

function commentAsked({ numbers }: Sight, asked: Asked, space: CommentSpace): CommentId {
  const id = numbers.findComment(space, numberParam(asked, "comment_id"));
  if (id === undefined) throw notFound();
  return id;
}

export async function findIssueComment(
  sight: Sight,
  asked: Asked,
): Promise<{ readonly pull: PullSight; readonly comment: Comment }> {
  const repository = await mustFindRepository(sight, repositoryName(asked));
  const id = commentAsked(sight, asked, "issue");
  for (const pull of pullsOf(sight, repository)) {
    const comment = pull.state.comments.find((candidate) => candidate.id === id);
    if (comment !== undefined) return { pull, comment };
  }
  throw notFound();
}

export async function findReviewComment(sight: Sight, asked: Asked): Promise<Remark & { readonly pull: PullSight }> {
  const repository = await mustFindRepository(sight, repositoryName(asked));
  const id = commentAsked(sight, asked, "review");
  for (const pull of pullsOf(sight, repository)) {
    for (const thread of visibleThreads(pull)) {
      const comment = thread.comments.find((candidate) => candidate.id === id);
      if (comment !== undefined) return { pull, thread, comment };
    }
  }
  throw notFound();
}

export function pullsOf(sight: Sight, { pulls }: Repository): readonly PullSight[] {
  return [...pulls.values()].flatMap((entry) => findPull(sight, entry.repository, entry.ref.number) ?? []);
}

async function edit(sight: Sight, asked: Asked, space: CommentSpace): Promise<void> {
  const { body } = readBody(Text, asked);
  const { entry } = (await (space === "issue" ? findIssueComment : findReviewComment)(sight, asked)).pull;
  const comment = commentAsked(sight, asked, space);
  const place = space === "issue" ? "conversation" : "thread";
  changeCommentBody(sight.world, entry, { by: sight.asker, comment, body, place });
}

async function remove(sight: Sight, asked: Asked, space: CommentSpace): Promise<Said> {
  const { entry } = (await (space === "issue" ? findIssueComment : findReviewComment)(sight, asked)).pull;
  removeComment(sight.world, entry, { by: sight.asker, comment: commentAsked(sight, asked, space) });
  return nothing;
}
