import { composeBody } from "#act/compose-body.ts";
import type { Effect, EffectOutcome } from "#act/effect.ts";
import { ensureComment } from "#act/ensure-comment.ts";
import { ensureState, prepareOnce } from "#act/ledger.ts";
import { changeRecords, type PullContext } from "#act/pull-context.ts";
import { applyRecordUpdate } from "#core/effects/record-update.ts";
import type { AckReaction, ActionOf } from "#core/model/action.ts";
import type { CommandRecord } from "#core/model/records.ts";
import { mayReactTo } from "#core/model/review-text.ts";
import { type Obligation, obligationKeyOf } from "#ports/store.ts";

export async function ensureAcknowledged(
  context: PullContext,
  action: ActionOf<"acknowledge">,
): Promise<EffectOutcome> {
  if (action.reaction === null) {
    await changeRecords(context, (records) =>
      applyRecordUpdate(records, { kind: "command", record: action.record }, null),
    );
    return { kind: "done", result: null };
  }
  const ruling = await firstRuling(context, action);
  if (ruling.kind !== "ruled") return ruling;
  const { record, words } = ruling;
  if (words !== null && !mayReactTo(record.comment, context.seen.capabilities))
    return await say(context, action, record, words);
  const note = { kind: "command", record } as const;
  const reaction: Effect = {
    ...effectOf(action, record),
    key: reactionKey(action),
    kind: "reaction",
    note: words === null ? note : { kind: "none" },
  };
  const reacted = await ensureState(context, reaction, () =>
    context.dependencies.forge.addReaction({ pull: context.ref, comment: record.comment, content: reactionOf(record) }),
  );
  // The comment may be deleted by now, and its author still reads an answer.
  if (reacted.kind === "later") return reacted;
  if (words !== null) return await say(context, action, record, words);
  if (reacted.kind === "refused") await changeRecords(context, (records) => applyRecordUpdate(records, note, null));
  return reacted;
}

async function say(
  context: PullContext,
  action: ActionOf<"acknowledge">,
  record: CommandRecord,
  words: string,
): Promise<EffectOutcome> {
  const blocks = [{ type: "command", data: record }] as const;
  return await ensureComment(context, { ...wordsEffect(action, record), thread: null, words, blocks });
}

interface Ruled {
  readonly kind: "ruled";
  readonly record: CommandRecord;
  readonly words: string | null;
}

/** A crash and a push may come between the reaction and the text: without one ruling, the two could contradict. */
async function firstRuling(context: PullContext, action: ActionOf<"acknowledge">): Promise<Ruled | EffectOutcome> {
  const { record, text } = action;
  const { store } = context.dependencies;
  const silent = await store.findObligation(obligationKeyOf(context.key, reactionKey(action)));
  if (silent?.note.kind === "command") return { kind: "ruled", record: silent.note.record, words: null };
  const worded = await store.findObligation(obligationKeyOf(context.key, action.key));
  if (worded !== undefined && worded.text !== null) return ruledIn(worded, record);
  if (text === null) return { kind: "ruled", record, words: null };
  const blocks = [{ type: "command", data: record }] as const;
  const prepared = await prepareOnce(context, wordsEffect(action, record), () =>
    composeBody(context, { mark: { effect: action.key }, words: text, blocks }),
  );
  return prepared.kind === "prepared" ? ruledIn(prepared.obligation, record) : prepared;
}

function ruledIn({ note, text }: Obligation, record: CommandRecord): Ruled {
  return { kind: "ruled", record: note.kind === "command" ? note.record : record, words: text };
}

function reactionKey(action: ActionOf<"acknowledge">): string {
  return `${action.key}#reaction`;
}

function effectOf(action: ActionOf<"acknowledge">, record: CommandRecord): Pick<Effect, "lane" | "head" | "why"> {
  const why = { askedBy: record.by, rule: `command ${record.word}: ${record.outcome}`, inputs: [record.comment] };
  return { lane: action.key, head: record.head, why };
}

function wordsEffect(action: ActionOf<"acknowledge">, record: CommandRecord): Effect {
  const note = { kind: "command", record } as const;
  return { ...effectOf(action, record), key: action.key, kind: "acknowledgement", note };
}

function reactionOf({ outcome }: CommandRecord): AckReaction {
  return outcome === "obeyed" ? "+1" : "confused";
}
