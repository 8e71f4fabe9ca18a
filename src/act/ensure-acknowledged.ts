import { ensureComment } from "#act/comment.ts";
import type { Effect, Outcome } from "#act/effect.ts";
import { ensureState } from "#act/ledger.ts";
import { changeRecords, type Turn } from "#act/turn.ts";
import { takeNote } from "#core/effects/note.ts";
import type { ActionOf } from "#core/model/action.ts";

/** A reaction on the command, words where there is something to say, and the record that it was dealt with. */
export async function ensureAcknowledged(turn: Turn, action: ActionOf<"acknowledge">): Promise<Outcome> {
  const { record, reaction, text } = action;
  const note = { kind: "command", record } as const;
  const why = { askedBy: record.by, rule: `command ${record.word}: ${record.outcome}`, inputs: [record.comment] };
  const effect: Effect = {
    key: `${action.key}#reaction`,
    kind: "reaction",
    lane: action.key,
    head: record.head,
    why,
    note: text === null ? note : { kind: "none" },
  };
  const reacted = await ensureState(turn, effect, () =>
    turn.parts.forge.addReaction({ pull: turn.ref, comment: record.comment, content: reaction }),
  );
  // The comment may be gone by now, and words still reach whoever wrote it.
  if (reacted.kind === "later") return reacted;
  if (text !== null) {
    return await ensureComment(turn, {
      key: action.key,
      kind: "acknowledgement",
      head: record.head,
      why,
      note,
      thread: null,
      words: text,
      blocks: [{ type: "command", data: record }],
    });
  }
  if (reacted.kind === "refused") await changeRecords(turn, (records) => takeNote(records, note, null));
  return reacted;
}
