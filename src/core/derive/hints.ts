import type { Command, MalformedCommand } from "#core/commands/command.ts";
import { asRecorded } from "#core/derive/commands.ts";
import type { People } from "#core/derive/people.ts";
import type { Remark, Spoken } from "#core/derive/remarks.ts";
import { writtenAt } from "#core/model/conversation.ts";
import { dayMs } from "#core/model/instant.ts";
import type { Observation } from "#core/model/observation.ts";
import type { CommandRecord } from "#core/model/records.ts";
import type { Hint } from "#core/model/situation.ts";

/** Later a hint does not help any more, and an upgrade must not comment on old remarks. */
const hintAgeMsMax = dayMs;

/** For people who may give commands and whose text did nothing. Strangers get no hint: their command has no effect. */
export function deriveHints(
  seen: Observation,
  context: {
    readonly spoken: readonly Spoken[];
    readonly people: People;
  },
): readonly Hint[] {
  const recorded = new Map(seen.records.commands.map((record) => [record.comment, record]));
  return context.spoken.flatMap(({ remark, address }): readonly Hint[] => {
    const { comment } = remark;
    const record = recorded.get(comment.id);
    if (!context.people.mayCommand(comment.author) || seen.observedAt - writtenAt(comment) > hintAgeMsMax) return [];
    if (record !== undefined) {
      const isEdited = address.command !== null && isEditedInto(remark, record, address.command);
      return isEdited
        ? [{ kind: "edited_command", comment: comment.id, by: comment.author.id, word: record.word }]
        : [];
    }
    const { nearMiss } = address;
    return nearMiss === null
      ? []
      : [{ kind: "near_miss", comment: comment.id, by: comment.author.id, word: nearMiss.word }];
  });
}

/** Forges do not tell when a review was edited: another word is the only sign. */
function isEditedInto(
  { comment, review }: Remark,
  record: CommandRecord,
  command: Command | MalformedCommand,
): boolean {
  if (review !== null) return command.word !== record.word;
  if (writtenAt(comment) <= record.at) return false;
  const isMalformed = record.outcome === "malformed";
  if (command.kind === "malformed") return command.word !== record.word || !isMalformed;
  return isMalformed || JSON.stringify(command) !== JSON.stringify(asRecorded(record));
}
