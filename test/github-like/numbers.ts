import type { CommentId, ReviewId, ThreadId } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import type { SandboxChange } from "#forges/sandbox/sandbox.ts";

/** The two spaces in which GitHub numbers comments: those of the conversation, and those of threads. */
export type CommentSpace = "issue" | "review";

export interface Numbers {
  /** The database id under which GitHub's API knows a comment of the sandbox. */
  commentNumber(space: CommentSpace, comment: CommentId): number;
  findComment(space: CommentSpace, number: number): CommentId | undefined;
  /** A thread goes by the number of its first comment. */
  threadNumber(thread: ThreadId): number;
  /** When the text of a review was last changed, as seen at that time; the sandbox keeps it in its history alone. */
  reviewEditedAt(review: ReviewId, at: Instant): Instant | null;
}

/** Real ids have ten digits; what fits into 32 bits still fits into GraphQL's `Int`. */
const firstNumber = 2_000_000_001;

/**
 * Both spaces count from the same number, so that every number in use means two different comments: whoever mixes them
 * up touches the wrong one. Numbers are given in the order of creation, so the history is read along.
 */
export function createNumbers(history: readonly SandboxChange[]): Numbers {
  const spaces: Readonly<Record<CommentSpace, Space>> = { issue: createSpace(), review: createSpace() };
  const edits = new Map<ReviewId, Instant[]>();
  const noteEdit = (review: ReviewId, at: Instant): void => {
    const known = edits.get(review);
    if (known === undefined) edits.set(review, [at]);
    else known.push(at);
  };
  let read = 0;
  const catchUp = (): void => {
    for (; read < history.length; read++) {
      const change = history[read];
      const what = change?.what;
      if (change !== undefined && what?.kind === "review_edited") noteEdit(what.review, change.at);
      if (what?.kind === "commented") giveNumber(spaces[what.thread === null ? "issue" : "review"], what.comment);
      // A thread goes by the number of its first comment.
      if (what?.kind === "reviewed") for (const thread of what.threads) giveNumber(spaces.review, thread);
    }
  };
  return {
    commentNumber(space, comment) {
      catchUp();
      return giveNumber(spaces[space], comment);
    },
    findComment(space, number) {
      catchUp();
      return spaces[space].comments[number - firstNumber];
    },
    threadNumber(thread) {
      catchUp();
      return giveNumber(spaces.review, thread);
    },
    reviewEditedAt(review, at) {
      catchUp();
      return edits.get(review)?.findLast((edit) => edit <= at) ?? null;
    },
  };
}

interface Space {
  readonly numbers: Map<string, number>;
  readonly comments: CommentId[];
}

function createSpace(): Space {
  return { numbers: new Map(), comments: [] };
}

/** What is in a review that nobody has submitted is in no history: it gets its number when it is first seen. */
function giveNumber({ numbers, comments }: Space, comment: string): number {
  const known = numbers.get(comment);
  if (known !== undefined) return known;
  const number = firstNumber + comments.length;
  numbers.set(comment, number);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a thread's id is that of its first comment.
  comments.push(comment as CommentId);
  return number;
}
