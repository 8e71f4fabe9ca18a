import type { Account } from "#core/model/account.ts";
import type { Observation } from "#core/model/observation.ts";

type Peopled = Pick<Observation, "pull" | "comments" | "reviews" | "threads" | "reactions">;

export function markBots<Seen extends Peopled>(seen: Seen, isBot: (account: Account) => boolean): Seen {
  const mark = (account: Account): Account =>
    account.kind !== "bot" && isBot(account) ? { ...account, kind: "bot" } : account;
  const byAuthor = <Item extends { readonly author: Account }>(items: readonly Item[]): readonly Item[] =>
    items.map((item) => ({ ...item, author: mark(item.author) }));
  const { pull, comments, reviews, threads, reactions } = seen;
  return {
    ...seen,
    pull: { ...pull, author: mark(pull.author), requestedReviewers: pull.requestedReviewers.map(mark) },
    comments: byAuthor(comments),
    reviews: byAuthor(reviews),
    threads: threads.map((thread) => ({ ...thread, comments: byAuthor(thread.comments) })),
    reactions: byAuthor(reactions),
  };
}
