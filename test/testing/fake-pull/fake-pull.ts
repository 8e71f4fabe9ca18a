import type { Account } from "#core/model/account.ts";
import type { Check, Comment, Reaction } from "#core/model/conversation.ts";
import { CommentId, type HeadSha, type PatchId, ReviewId, Untrusted } from "#core/model/ids.ts";
import { after } from "#core/model/instant.ts";
import type { Observation } from "#core/model/observation.ts";

/**
 * A pull on paper: the observation itself, changed by what people do. There is no forge, no git and no network behind it;
 * it serves to tell a story and to try the core out. Each function gives the pull after the event.
 */
export interface FakePull extends Observation {
  /** The last id that was given here. Ids grow and are never given twice, not even after a deletion. */
  readonly lastNumber?: number;
}

export function passTime(pull: FakePull, ms: number): FakePull {
  return { ...pull, observedAt: after(pull.observedAt, ms) };
}

export function push(
  pull: FakePull,
  head: HeadSha,
  over: { readonly patch?: PatchId | null; readonly isTimeTold?: boolean } = {},
): FakePull {
  const pushedAt = over.isTimeTold === false ? null : pull.observedAt;
  return changePull(pull, {
    head: { ...pull.pull.head, sha: head, pushedAt, patch: over.patch ?? null },
    mergeability: { kind: "mergeable" },
  });
}

export function changePull(pull: FakePull, over: Partial<Observation["pull"]>): FakePull {
  return { ...pull, pull: { ...pull.pull, ...over } };
}

export function describePull(pull: FakePull, by: Account, body: string): FakePull {
  const text = Untrusted.parse(body);
  const edit = { at: pull.observedAt, by: by.id, body: text };
  const { author, createdAt, body: before, bodyEdits } = pull.pull;
  const earlier = bodyEdits.length === 0 ? [{ at: createdAt, by: author.id, body: before }] : bodyEdits;
  return changePull(pull, { body: text, bodyEdits: [...earlier, edit] });
}

export function say(pull: FakePull, author: Account, words: string): FakePull {
  const lastNumber = nextNumber(pull);
  return { ...pull, lastNumber, comments: [...pull.comments, newComment(pull, author, words)] };
}

export function editComment(pull: FakePull, id: string, words: string): FakePull {
  const change = (comment: Comment): Comment =>
    comment.id === id ? { ...comment, body: Untrusted.parse(words), editedAt: pull.observedAt } : comment;
  return {
    ...pull,
    comments: pull.comments.map(change),
    threads: pull.threads.map((thread) => ({ ...thread, comments: thread.comments.map(change) })),
  };
}

export function deleteComment(pull: FakePull, id: string): FakePull {
  return { ...pull, comments: pull.comments.filter((comment) => comment.id !== id) };
}

export function reply(pull: FakePull, author: Account, thread: string, words: string): FakePull {
  const comment = newComment(pull, author, words);
  const add = (one: Observation["threads"][number]): Observation["threads"][number] =>
    one.id === thread ? { ...one, comments: [...one.comments, comment] } : one;
  return { ...pull, lastNumber: nextNumber(pull), threads: pull.threads.map(add) };
}

/** A second reaction of the same kind by the same person is none, as on the forges. */
export function react(pull: FakePull, author: Account, content: Reaction["content"]): FakePull {
  const isThere = pull.reactions.some((one) => one.author.id === author.id && one.content === content);
  if (isThere) return pull;
  return { ...pull, reactions: [...pull.reactions, { author, content, createdAt: pull.observedAt }] };
}

export function takeReaction(pull: FakePull, author: Account, content: Reaction["content"]): FakePull {
  const isIt = (one: Reaction): boolean => one.author.id === author.id && one.content === content;
  return { ...pull, reactions: pull.reactions.filter((one) => !isIt(one)) };
}

export function judge(
  pull: FakePull,
  author: Account,
  state: "approved" | "changes_requested" | "commented",
  words = "",
): FakePull {
  const review = {
    id: ReviewId.parse(String(nextNumber(pull))),
    author,
    state,
    body: Untrusted.parse(words),
    submittedAt: pull.observedAt,
    commit: pull.pull.head.sha,
  };
  return { ...pull, lastNumber: nextNumber(pull), reviews: [...pull.reviews, review] };
}

export function report(pull: FakePull, state: Check["state"]): FakePull {
  const head = pull.pull.head.sha;
  const check: Check = { name: "build", source: "ci", head, state, startedAt: pull.observedAt };
  return { ...pull, checks: [...pull.checks.filter((one) => one.head !== head), check] };
}

/** The comment that `say` would add. */
export function newComment(pull: FakePull, author: Account, words: string): Comment {
  return {
    id: CommentId.parse(String(nextNumber(pull))),
    author,
    body: Untrusted.parse(words),
    createdAt: pull.observedAt,
    editedAt: null,
  };
}

/** Also above the ids that the pull came with. */
export function nextNumber(pull: FakePull): number {
  const comments = [...pull.comments, ...pull.threads.flatMap((thread) => thread.comments)];
  const used = [...comments, ...pull.reviews].map(({ id }) => Number(id) || 0);
  return 1 + used.reduce((most, number) => Math.max(most, number), pull.lastNumber ?? 0);
}
