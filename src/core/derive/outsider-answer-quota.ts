import type { People } from "#core/derive/people.ts";
import type { Remark } from "#core/derive/remarks.ts";
import type { AccountId, CommentId } from "#core/model/ids.ts";
import type { Observation } from "#core/model/observation.ts";
import type { Addressed } from "#core/model/situation.ts";

export interface OutsiderAnswerQuota {
  /** A person with write permission wrote it, or the quota has room left. */
  take(one: Addressed): boolean;
}

/** Counts wordings, since an edited question is asked again, and from records, since deleting a text frees nothing. */
export function outsiderAnswerQuota(
  seen: Observation,
  { people, remarks }: { readonly people: People; readonly remarks: readonly Remark[] },
): OutsiderAnswerQuota {
  const { outsiderAnswersMax } = seen.rules.conversation;
  const authors = new Map(remarks.map(({ comment }) => [comment.id, comment.author.id]));
  const taken = takenWordings(seen, people, authors);
  return {
    take: ({ remark, revision }) => {
      if (people.isWriter(remark.author.id)) return true;
      const name = wording(remark.id, revision);
      if (taken.has(name)) return true;
      if (taken.size >= outsiderAnswersMax) return false;
      taken.add(name);
      return true;
    },
  };
}

function takenWordings(
  { records }: Observation,
  people: People,
  authors: ReadonlyMap<CommentId, AccountId>,
): Set<string> {
  const dealtWith = [
    ...records.classifications,
    ...records.questions,
    ...records.disputes.map(({ reply, revision }) => ({ comment: reply, revision })),
  ];
  const isOutsiders = (comment: CommentId): boolean => {
    const author = authors.get(comment);
    return author === undefined || !people.isWriter(author);
  };
  return new Set(
    dealtWith.filter(({ comment }) => isOutsiders(comment)).map(({ comment, revision }) => wording(comment, revision)),
  );
}

function wording(comment: CommentId, revision: string): string {
  return `${comment} ${revision}`;
}
