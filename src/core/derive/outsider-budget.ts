import type { People } from "#core/derive/people.ts";
import type { CommentId } from "#core/model/ids.ts";
import type { Observation } from "#core/model/observation.ts";

/** Counts the paid reviews that people without write permission ask for, over the life of the pull. */
export interface OutsiderBudget {
  /** Takes one review for this request, if there is one left or it was taken before. */
  take(comment: CommentId): boolean;
}

/**
 * What was spent is read from the records, not from the comments: deleting a request does not give its review back.
 * Reviews by rules cost nothing.
 */
export function outsiderBudget(seen: Observation, people: People): OutsiderBudget {
  const { roles, outsiderReviewsMax } = seen.rules.reviews;
  if (roles.every((role) => role.reviewer === "rules")) return { take: () => true };
  const spent = spentRequests(seen, people);
  return {
    take: (comment) => {
      if (spent.has(comment)) return true;
      if (spent.size >= outsiderReviewsMax) return false;
      spent.add(comment);
      return true;
    },
  };
}

function spentRequests(seen: Observation, people: People): Set<CommentId> {
  const { commands, runs } = seen.records;
  const asked = commands.filter(
    ({ word, outcome, by }) => word === "review" && outcome === "obeyed" && !people.isWriter(by),
  );
  const made = runs.flatMap(({ trigger }) =>
    trigger.kind === "manual" && !people.isWriter(trigger.by) ? [trigger] : [],
  );
  return new Set([...asked, ...made].map(({ comment }) => comment));
}
