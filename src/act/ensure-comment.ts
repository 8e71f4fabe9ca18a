import { composeBody } from "#act/compose-body.ts";
import type { Effect, EffectOutcome } from "#act/effect.ts";
import { type Announce, ensureOnce, ensureState } from "#act/ledger.ts";
import { changeRecords, type PullContext } from "#act/pull-context.ts";
import type { BlockContent } from "#core/blocks/block.ts";
import { readMark } from "#core/effects/effect-mark.ts";
import { applyRecordUpdate } from "#core/effects/record-update.ts";
import type { Comment } from "#core/model/conversation.ts";
import { digestOf } from "#core/model/digest.ts";
import type { CommentId, ThreadId } from "#core/model/ids.ts";

/** A comment of the bot's own that is to be there once. */
export interface CommentEffect extends Omit<Effect, "lane"> {
  /** Set if it must not overtake another effect; otherwise it does not wait. */
  readonly lane?: string;
  /** In a thread, as a reply; null in the conversation of the pull. */
  readonly thread: ThreadId | null;
  /** Already outgoing; people who are to be called stand before it. */
  readonly words: string;
  readonly blocks: readonly BlockContent[];
  readonly announce?: Announce;
}

export async function ensureComment(context: PullContext, made: CommentEffect): Promise<EffectOutcome> {
  const { thread, words, blocks, announce, ...named } = made;
  const effect: Effect = { ...named, lane: named.lane ?? named.key };
  return await ensureOnce(context, effect, {
    compose: () => composeBody(context, { mark: { effect: effect.key }, words, blocks }),
    send: async (body) =>
      thread === null
        ? await context.dependencies.forge.createComment({ pull: context.ref, body })
        : await context.dependencies.forge.replyInThread({ pull: context.ref, thread, body }),
    ...(announce === undefined ? {} : { announce }),
  });
}

/** A comment of the bot's own that says something else by now. */
export interface Earlier {
  readonly comment: CommentId;
  /** Whether a deleted comment is written again. Otherwise it stays deleted, and the records go on without it. */
  readonly comesBack: boolean;
}

/** Says it in the comment that is there for it already, and in a new one where there is none. */
export async function ensureSaid(
  context: PullContext,
  made: CommentEffect,
  earlier: Earlier | null,
): Promise<EffectOutcome> {
  if (earlier === null) return await ensureComment(context, made);
  const edited = await editComment(context, made, earlier.comment);
  const isGone = edited.kind === "refused" && edited.error === "not_found";
  if (!isGone) return edited;
  // Under a name of its own: these words may have been said before, and were deleted.
  if (earlier.comesBack) return await ensureComment(context, { ...made, key: `${made.key}#after/${earlier.comment}` });
  await changeRecords(context, (records) => applyRecordUpdate(records, made.note, earlier.comment));
  return { kind: "done", result: earlier.comment };
}

async function editComment(context: PullContext, made: CommentEffect, comment: CommentId): Promise<EffectOutcome> {
  const { words, blocks, thread: _thread, announce: _announce, ...named } = made;
  const mark = readMark(findComment(context, comment)?.body ?? "");
  const body = await composeBody(context, { mark: mark === undefined ? null : { kept: mark }, words, blocks });
  // The same comment may go back and forth between two texts.
  const key = `${named.key}#edit/${digestOf(words)}`;
  const effect: Effect = { ...named, key, kind: "answer_edit", lane: named.lane ?? named.key };
  return await ensureState(
    context,
    effect,
    () => context.dependencies.forge.editComment({ pull: context.ref, comment, body, urgency: "people" }),
    comment,
  );
}

/** In the conversation or in a thread, as seen. */
export function findComment({ seen }: Pick<PullContext, "seen">, id: CommentId): Comment | undefined {
  return [...seen.comments, ...seen.threads.flatMap((thread) => thread.comments)].find((one) => one.id === id);
}
