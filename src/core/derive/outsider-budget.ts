import type { People } from "#core/derive/people.ts";
import type { CommentId, HeadSha } from "#core/model/ids.ts";
import type { Observation } from "#core/model/observation.ts";

/** Counts the paid reviews that people without write permission ask for, over the life of the pull. */
export interface OutsiderBudget {
  /** Takes one review for this request, if there is one left or it was taken before. */
  take(comment: CommentId): boolean;
  /** The same for a head that is reviewed because such a person switched reviews on. */
  takeHead(head: HeadSha): boolean;
}

/**
 * What was spent is read from the records, not from the comments: deleting a request does not give its review back.
 * Reviews by rules cost nothing.
 */
export function outsiderBudget(seen: Observation, people: People): OutsiderBudget {
  const { roles, outsiderReviewsMax } = seen.rules.reviews;
  if (roles.every((role) => role.reviewer === "rules")) return { take: () => true, takeHead: () => true };
  const spent = spentRequests(seen, people);
  const heads = new Set(
    seen.records.runs.filter(({ trigger }) => trigger.kind === "automatic").map(({ head }) => head),
  );
  const takeFrom = <Thing>(own: Set<Thing>, thing: Thing, used: number): boolean => {
    if (own.has(thing)) return true;
    if (used >= outsiderReviewsMax) return false;
    own.add(thing);
    return true;
  };
  return {
    take: (comment) => takeFrom(spent, comment, spent.size),
    takeHead: (head) => takeFrom(heads, head, spent.size + heads.size),
  };
}

/** A request that an automatic review covered has cost nothing. */
function spentRequests(seen: Observation, people: People): Set<CommentId> {
  const { commands, runs, manualReviews } = seen.records;
  const dismissed = new Set(
    manualReviews.filter(({ status }) => status === "DISMISSED_BY_AUTO_REVIEW").map(({ comment }) => comment),
  );
  const asked = commands.filter(
    ({ word, outcome, by }) => word === "review" && outcome === "obeyed" && !people.isWriter(by),
  );
  const made = runs.flatMap(({ trigger }) =>
    trigger.kind === "manual" && !people.isWriter(trigger.by) ? [trigger] : [],
  );
  const spent = [...asked, ...made].map(({ comment }) => comment);
  return new Set(spent.filter((comment) => !dismissed.has(comment)));
}
