import { compareIds } from "#core/derive/canonical-order.ts";
import { readMark } from "#core/effects/effect-mark.ts";
import type { CommentId, ReviewId } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import type { Observation } from "#core/model/observation.ts";
import { readSentinel } from "#core/words/sentinel.ts";

export type OwnText = { readonly at: Instant } & (
  | { readonly kind: "comment"; readonly id: CommentId }
  | { readonly kind: "thread_comment"; readonly id: CommentId }
  | { readonly kind: "review"; readonly id: ReviewId; readonly isPending: boolean }
);

export type OwnEffects = ReadonlyMap<string, readonly OwnText[]>;

type Seen = Pick<Observation, "bot" | "comments" | "reviews" | "threads">;

export function findOwnEffects(seen: Seen): OwnEffects {
  const found = new Map<string, OwnText[]>();
  const add = (author: { readonly id: string }, body: string, text: OwnText): void => {
    if (author.id !== seen.bot.id) return;
    const mark = readMark(body);
    if (mark === undefined) return;
    const others = found.get(mark) ?? [];
    if (!others.some((other) => other.id === text.id)) found.set(mark, [...others, text]);
  };
  for (const { id, author, body, createdAt } of seen.comments)
    add(author, body, { kind: "comment", id, at: createdAt });
  for (const thread of seen.threads) {
    for (const { id, author, body, createdAt } of thread.comments) {
      add(author, body, { kind: "thread_comment", id, at: createdAt });
    }
  }
  for (const { id, author, body, submittedAt, state } of seen.reviews) {
    add(author, body, { kind: "review", id, at: submittedAt, isPending: state === "pending" });
  }
  for (const [mark, texts] of found) found.set(mark, texts.toSorted(compareAge));
  return found;
}

/** A pending review counts as none: the forge may never show it. */
export function oldestOf(effects: OwnEffects, mark: string): OwnText | undefined {
  return effects.get(mark)?.find((text) => text.kind !== "review" || !text.isPending);
}

export function duplicatesIn(effects: OwnEffects): readonly OwnText[] {
  return [...effects.values()].flatMap((texts) =>
    texts.filter((text) => text.kind !== "review" || !text.isPending).slice(1),
  );
}

/** Oldest first. There is to be one. */
export function managedComments(
  seen: Pick<Observation, "bot" | "comments">,
  isOurs: (body: string) => boolean,
): readonly { readonly comment: CommentId; readonly digest: string; readonly at: Instant }[] {
  return seen.comments
    .flatMap(({ id, author, body, createdAt }) => {
      const sentinel = author.id === seen.bot.id ? readSentinel(body) : undefined;
      return sentinel?.kind === "managed" && isOurs(body)
        ? [{ comment: id, digest: sentinel.digest, at: createdAt }]
        : [];
    })
    .toSorted((left, right) => compareIds(left.comment, right.comment));
}

function compareAge(left: OwnText, right: OwnText): number {
  return left.at - right.at || compareIds(left.id, right.id);
}
