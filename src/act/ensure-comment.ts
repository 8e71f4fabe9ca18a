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

export interface CommentEffect extends Omit<Effect, "lane"> {
  /** Set if it must not overtake another effect; otherwise it does not wait. */
  readonly lane?: string;
  readonly thread: ThreadId | null;
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

export interface Earlier {
  readonly comment: CommentId;
  /** Whether a deleted comment is written again. Otherwise the records go on without it. */
  readonly comesBack: boolean;
}

export async function ensureSaid(
  context: PullContext,
  made: CommentEffect,
  earlier: Earlier | null,
): Promise<EffectOutcome> {
  if (earlier === null) return await ensureComment(context, made);
  const edited = await editComment(context, made, earlier.comment);
  const isGone = edited.kind === "refused" && edited.error === "not_found";
  if (!isGone) return edited;
  // A new key: these words may have been said before, and were deleted.
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

export function findComment({ seen }: Pick<PullContext, "seen">, id: CommentId): Comment | undefined {
  return [...seen.comments, ...seen.threads.flatMap((thread) => thread.comments)].find((one) => one.id === id);
}
