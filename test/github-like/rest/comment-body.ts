import type { Account } from "#core/model/account.ts";
import type { Comment, Reaction } from "#core/model/conversation.ts";
import type { CommentId } from "#core/model/ids.ts";
import { time } from "#forge-like/time.ts";
import type { PullState, ThreadState } from "#forges/sandbox/pull-state.ts";
import { isPending } from "#forges/sandbox/pull-state.ts";
import { type PullEntry, permissionIn, type Repository } from "#forges/sandbox/world.ts";
import { nodeId } from "#github-like/node-id.ts";
import { repositoryUrl } from "#github-like/rest/repository-body.ts";
import { userBody } from "#github-like/rest/user-body.ts";
import type { PullSight, Sight } from "#github-like/sight.ts";

export function issueCommentBody({ sight, entry, state }: PullSight, comment: Comment): object {
  const { ref } = entry;
  const number = sight.numbers.commentNumber("issue", comment.id);
  const at = repositoryUrl(sight, ref.repository.name);
  const url = `${at}/issues/comments/${number}`;
  return {
    id: number,
    node_id: commentNode("IC", entry, comment.id),
    url,
    html_url: `${pullHtml(sight, entry)}#issuecomment-${number}`,
    issue_url: `${at}/issues/${ref.number}`,
    user: userBody(sight, comment.author),
    body: comment.body,
    created_at: time(comment.createdAt),
    updated_at: time(comment.editedAt ?? comment.createdAt),
    author_association: associationOf(entry.repository, comment.author),
    reactions: rollupBody(`${url}/reactions`, reactionsOn(state, comment.id)),
  };
}

export function reviewCommentBody({ sight, entry, state }: PullSight, thread: ThreadState, comment: Comment): object {
  const { ref } = entry;
  const number = sight.numbers.commentNumber("review", comment.id);
  const [first] = thread.comments;
  const at = repositoryUrl(sight, ref.repository.name);
  const pull = `${at}/pulls/${ref.number}`;
  const html = `${pullHtml(sight, entry)}#discussion_r${number}`;
  const url = `${at}/pulls/comments/${number}`;
  const review = state.reviews.find(({ id }) => id === thread.review);
  const commit = review?.commit ?? state.head.sha;
  const side = thread.side === "old" ? "LEFT" : "RIGHT";
  const { lines } = thread.remarked;
  const isRange = lines.first !== lines.last;
  return {
    id: number,
    node_id: commentNode("PRRC", entry, comment.id),
    url,
    pull_request_review_id: Number(thread.review),
    diff_hunk: thread.remarked.hunk,
    path: thread.path,
    commit_id: commit,
    original_commit_id: thread.remarked.commit,
    user: userBody(sight, comment.author),
    body: comment.body,
    created_at: time(comment.createdAt),
    updated_at: time(comment.editedAt ?? comment.createdAt),
    html_url: html,
    pull_request_url: pull,
    author_association: associationOf(entry.repository, comment.author),
    _links: { self: { href: url }, html: { href: html }, pull_request: { href: pull } },
    reactions: rollupBody(`${url}/reactions`, reactionsOn(state, comment.id)),
    ...(first !== undefined &&
      first.id !== comment.id && { in_reply_to_id: sight.numbers.commentNumber("review", first.id) }),
    start_line: thread.startLine,
    original_start_line: isRange ? lines.first : null,
    start_side: isRange ? side : null,
    // An outdated comment has no line, which the description does not allow for and the API says all the same.
    ...(thread.line !== null && { line: thread.line }),
    original_line: lines.last,
    position: thread.line === null ? 0 : thread.line,
    original_position: lines.last,
    side,
    subject_type: "line",
  };
}

export function commentNode(kind: "IC" | "PRRC", { ref }: PullEntry, comment: CommentId): string {
  return nodeId(kind, ref.repository.id, ref.number, comment);
}

export function pullHtml({ url }: Pick<Sight, "url">, { ref }: PullEntry): string {
  return `${url}/${ref.repository.name}/pull/${ref.number}`;
}

export function reactionsOn({ commentReactions }: PullState, comment: CommentId): readonly Reaction[] {
  return commentReactions.filter((reaction) => reaction.comment === comment);
}

/** Never a permission: private members look like anybody. */
export function associationOf(repository: Repository, account: Account): string {
  const permission = permissionIn(repository, account);
  if (permission === "admin") return "OWNER";
  return permission === "write" ? "COLLABORATOR" : "NONE";
}

function rollupBody(url: string, reactions: readonly Reaction[]): object {
  const counts = Object.fromEntries(contents.map((content) => [content, 0]));
  for (const { content } of reactions) counts[content] = (counts[content] ?? 0) + 1;
  return { url, total_count: reactions.length, ...counts };
}

const contents = ["+1", "-1", "laugh", "confused", "heart", "hooray", "rocket", "eyes"] as const;

/** The threads that the asker gets to see; those of a pending review only its author does. */
export function visibleThreads({ sight, state }: PullSight): readonly ThreadState[] {
  const hidden = new Set(
    state.reviews.filter((review) => isPending(review) && review.author.id !== sight.asker.id).map(({ id }) => id),
  );
  return state.threads.filter((thread) => !hidden.has(thread.review));
}
