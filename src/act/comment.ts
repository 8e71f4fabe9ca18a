import { composeBody } from "#act/body.ts";
import type { Effect, Outcome } from "#act/effect.ts";
import { type Announce, ensureOnce, ensureState } from "#act/ledger.ts";
import { changeRecords, type Turn } from "#act/turn.ts";
import type { BlockContent } from "#core/blocks/block.ts";
import { readMark } from "#core/effects/effect-mark.ts";
import { takeNote } from "#core/effects/note.ts";
import type { Comment } from "#core/model/conversation.ts";
import { digestOf } from "#core/model/digest.ts";
import type { CommentId, ThreadId } from "#core/model/ids.ts";

/** A comment of the bot's own that is to be there once. */
export interface CommentEffect extends Omit<Effect, "lane"> {
  /** Where it must not overtake another effect; else it waits for nobody. */
  readonly lane?: string;
  /** In a thread, as a reply; null in the conversation of the pull. */
  readonly thread: ThreadId | null;
  /** Already outgoing; people who are to be called stand before it. */
  readonly words: string;
  readonly blocks: readonly BlockContent[];
  readonly announce?: Announce;
}

export async function ensureComment(turn: Turn, made: CommentEffect): Promise<Outcome> {
  const { thread, words, blocks, announce, ...named } = made;
  const effect: Effect = { ...named, lane: named.lane ?? named.key };
  return await ensureOnce(turn, effect, {
    compose: () => composeBody(turn, { mark: { effect: effect.key }, words, blocks }),
    send: async (body) =>
      thread === null
        ? await turn.parts.forge.createComment({ pull: turn.ref, body })
        : await turn.parts.forge.replyInThread({ pull: turn.ref, thread, body }),
    ...(announce === undefined ? {} : { announce }),
  });
}

/** A comment of the bot's own that says something else by now. */
export interface Earlier {
  readonly comment: CommentId;
  /** Whether what somebody has deleted is written anew. Else it stays deleted, and the records go on without it. */
  readonly comesBack: boolean;
}

/** Says it in the comment that is there for it already, and in a new one where there is none. */
export async function ensureSaid(turn: Turn, made: CommentEffect, earlier: Earlier | null): Promise<Outcome> {
  if (earlier === null) return await ensureComment(turn, made);
  const edited = await editComment(turn, made, earlier.comment);
  const isGone = edited.kind === "refused" && edited.error === "not_found";
  if (!isGone) return edited;
  // Under a name of its own: these words may have been said before, and were deleted.
  if (earlier.comesBack) return await ensureComment(turn, { ...made, key: `${made.key}#after/${earlier.comment}` });
  await changeRecords(turn, (records) => takeNote(records, made.note, earlier.comment));
  return { kind: "done", result: earlier.comment };
}

async function editComment(turn: Turn, made: CommentEffect, comment: CommentId): Promise<Outcome> {
  const { words, blocks, thread: _thread, announce: _announce, ...named } = made;
  const mark = readMark(findComment(turn, comment)?.body ?? "");
  const body = await composeBody(turn, { mark: mark === undefined ? null : { kept: mark }, words, blocks });
  // The same comment may go back and forth between two texts.
  const key = `${named.key}#edit/${digestOf(words)}`;
  const effect: Effect = { ...named, key, kind: "answer_edit", lane: named.lane ?? named.key };
  return await ensureState(
    turn,
    effect,
    () => turn.parts.forge.editComment({ pull: turn.ref, comment, body, urgency: "people" }),
    comment,
  );
}

/** In the conversation or in a thread, as seen. */
export function findComment({ seen }: Pick<Turn, "seen">, id: CommentId): Comment | undefined {
  return [...seen.comments, ...seen.threads.flatMap((thread) => thread.comments)].find((one) => one.id === id);
}
