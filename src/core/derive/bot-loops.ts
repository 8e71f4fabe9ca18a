import type { People } from "#core/derive/people.ts";
import type { Spoken } from "#core/derive/remarks.ts";
import { writtenAt } from "#core/model/conversation.ts";
import type { Observation } from "#core/model/observation.ts";
import type { Heads } from "#core/model/situation.ts";

/** After so many remarks of other bots in a row, a person has to write or push. */
export const botRemarksMax = 5;

/** Two bots that answer each other would never end. Each wording of an edited remark counts. */
export function loopingRemarks<S extends Spoken>(
  seen: Observation,
  { spoken, people, heads }: { readonly spoken: readonly S[]; readonly people: People; readonly heads: Heads },
): readonly S[] {
  const dealtWith = new Set(seen.records.commands.map(({ comment }) => comment));
  let count = 0;
  let last = 0;
  return spoken.filter(({ remark, address }) => {
    const { id, author } = remark.comment;
    if (author.kind === "person") count = 0;
    if (author.kind === "person" || !people.isHeard(author)) return false;
    const isOwnThread = remark.thread?.comments[0]?.author.id === seen.bot.id;
    if (!address.hasHandle && !isOwnThread) return false;
    const at = writtenAt(remark.comment);
    if (heads.history.some(({ since }) => since > last && since <= at)) count = 0;
    last = at;
    count += Math.max(1, seen.records.classifications.filter(({ comment }) => comment === id).length);
    return count > botRemarksMax && !dealtWith.has(id);
  });
}
