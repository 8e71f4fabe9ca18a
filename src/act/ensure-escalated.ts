import { announce } from "#act/announce.ts";
import { blockContextOf, composeBody } from "#act/compose-body.ts";
import type { EffectOutcome } from "#act/effect.ts";
import { ensureComment, findComment } from "#act/ensure-comment.ts";
import { ensureState } from "#act/ledger.ts";
import { changeRecords, type PullContext } from "#act/pull-context.ts";
import { markOf, readMark } from "#core/effects/effect-mark.ts";
import { oldestOf } from "#core/effects/own-effects.ts";
import { applyRecordUpdate, type RecordUpdate } from "#core/effects/record-update.ts";
import type { ActionOf } from "#core/model/action.ts";
import { digestOf } from "#core/model/digest.ts";
import type { CommentId } from "#core/model/ids.ts";

export async function ensureEscalated(context: PullContext, action: ActionOf<"escalate">): Promise<EffectOutcome> {
  const { key, severity, to, text } = action;
  return await ensureComment(context, {
    key,
    kind: "escalation",
    head: context.seen.pull.head.sha,
    why: { askedBy: "the plan", rule: `escalation (${severity})`, inputs: [key] },
    note: { kind: "escalated", key, severity, text },
    thread: null,
    words: `${mentionsOf(context, to)}${text}`,
    blocks: [],
    announce,
  });
}

export async function ensureTakenBack(context: PullContext, action: ActionOf<"take_back">): Promise<EffectOutcome> {
  const { key, escalation, text } = action;
  const note = { kind: "escalated", key, severity: "info", text } as const;
  const standing = findTold(context, escalation);
  if (standing === undefined) {
    await changeRecords(context, (records) => applyRecordUpdate(records, note, null));
    return { kind: "done", result: null, wasThere: true };
  }
  return await ensureToldAnew(context, { key, comment: standing, words: text, note });
}

export function findTold(context: PullContext, effect: string): CommentId | undefined {
  const text = oldestOf(context.effects, markOf(effect, blockContextOf(context), context.dependencies.secret));
  return text?.kind === "comment" ? text.id : undefined;
}

export async function ensureToldAnew(
  context: PullContext,
  told: { readonly key: string; readonly comment: CommentId; readonly words: string; readonly note: RecordUpdate },
): Promise<EffectOutcome> {
  const { comment, words, note } = told;
  const mark = readMark(findComment(context, comment)?.body ?? "");
  const body = await composeBody(context, { mark: mark === undefined ? null : { kept: mark }, words, blocks: [] });
  const key = `${told.key}#edit/${digestOf(words)}`;
  const why = { askedBy: "the plan", rule: "a comment says what holds now", inputs: [told.key] };
  return await ensureState(
    context,
    { key, kind: "escalation_edit", lane: comment, head: context.seen.pull.head.sha, why, note },
    () => context.dependencies.forge.editComment({ pull: context.ref, comment, body, urgency: "people" }),
    comment,
  );
}

/** The only live mentions of Drover. Never of itself. */
export function mentionsOf(context: PullContext, logins: readonly string[]): string {
  const own = new Set([context.seen.bot.login, context.seen.rules.handle.slice(1)].map((name) => name.toLowerCase()));
  const others = logins.filter((login) => /^[\w.-]+$/.test(login) && !own.has(login.toLowerCase()));
  return others.length === 0 ? "" : `${others.map((login) => `@${login}`).join(" ")}\n\n`;
}
