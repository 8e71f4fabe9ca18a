import type { People } from "#core/derive/people.ts";
import { type Remark, remarksOf } from "#core/derive/remarks.ts";
import type { Account } from "#core/model/account.ts";
import { type LimitName, limitNames, limits } from "#core/model/limits.ts";
import type { Observation } from "#core/model/observation.ts";

export interface WholeView {
  /** What was cut off might have been a hold or an objection. */
  readonly cut: readonly LimitName[];
  /** Their remarks were read in part, and could not have decided anything. */
  readonly partlyRead: readonly Account[];
}

export function deriveWholeView(seen: Observation, people: People): WholeView {
  const long = remarksOf(seen).filter(isLong);
  const weighty = long.filter(({ comment }) => mayDecide(people, comment.author));
  const bodies: readonly LimitName[] = weighty.length > 0 ? ["bodyCharactersMax"] : [];
  const authors = new Map(long.map(({ comment: { author } }) => [author.id, author]));
  return {
    cut: [...new Set([...seen.limitsReached, ...overLimits(seen), ...bodies])].sort(),
    partlyRead: [...authors.values()].filter((author) => !mayDecide(people, author)),
  };
}

/** Anybody else could stop a pull by writing many remarks. A person with unknown permission may be anybody. */
function mayDecide(people: People, author: Account): boolean {
  if (people.isBot(author.id) || !people.isHeard(author)) return false;
  const permission = people.permissionOf(author.id);
  return people.isAuthor(author.id) || people.isWriter(author.id) || permission === "undetermined";
}

function isLong({ comment }: Remark): boolean {
  return comment.isCut === true || comment.body.length > limits.bodyCharactersMax;
}

function overLimits(seen: Observation): readonly LimitName[] {
  const sizes: Readonly<Record<LimitName, number>> = {
    commentsMax: seen.comments.length,
    reviewsMax: seen.reviews.length,
    threadsMax: seen.threads.length,
    threadCommentsMax: seen.threads.reduce((most, thread) => Math.max(most, thread.comments.length), 0),
    reactionsMax: seen.reactions.length,
    checksMax: seen.checks.length,
    labelsMax: seen.pull.labels.length,
    headsMax: seen.records.heads.length,
    changedPathsMax: seen.changedPaths.length,
    bodyCharactersMax: seen.pull.body.length,
  };
  return limitNames.filter((name) => sizes[name] > limits[name]);
}
