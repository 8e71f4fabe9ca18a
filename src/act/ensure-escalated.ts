import { announce } from "#act/announce.ts";
import { composeBody, contextOf } from "#act/body.ts";
import { ensureComment, findComment } from "#act/comment.ts";
import type { Outcome } from "#act/effect.ts";
import { ensureState } from "#act/ledger.ts";
import { changeRecords, type Turn } from "#act/turn.ts";
import { markOf, readMark } from "#core/effects/effect-mark.ts";
import { type Note, takeNote } from "#core/effects/note.ts";
import { oldestOf } from "#core/effects/own-effects.ts";
import type { ActionOf } from "#core/model/action.ts";
import { digestOf } from "#core/model/digest.ts";
import type { CommentId } from "#core/model/ids.ts";

/** People are called: in a comment that names them, and wherever else they listen. */
export async function ensureEscalated(turn: Turn, action: ActionOf<"escalate">): Promise<Outcome> {
  const { key, severity, to, text } = action;
  return await ensureComment(turn, {
    key,
    kind: "escalation",
    head: turn.seen.pull.head.sha,
    why: { askedBy: "the plan", rule: `escalation (${severity})`, inputs: [key] },
    note: { kind: "escalated", key, severity, text },
    thread: null,
    words: `${calls(turn, to)}${text}`,
    blocks: [],
    announce,
  });
}

/** The comment that called for people says that it is solved. Where somebody has deleted it, nothing is left to say. */
export async function ensureTakenBack(turn: Turn, action: ActionOf<"take_back">): Promise<Outcome> {
  const { key, escalation, text } = action;
  const note = { kind: "escalated", key, severity: "info", text } as const;
  const standing = findTold(turn, escalation);
  if (standing === undefined) {
    await changeRecords(turn, (records) => takeNote(records, note, null));
    return { kind: "done", result: null, wasThere: true };
  }
  return await ensureToldAnew(turn, { key, comment: standing, words: text, note });
}

/** The comment about this escalation or failure, as seen. */
export function findTold(turn: Turn, effect: string): CommentId | undefined {
  const text = oldestOf(turn.effects, markOf(effect, contextOf(turn), turn.parts.secret));
  return text?.kind === "comment" ? text.id : undefined;
}

export async function ensureToldAnew(
  turn: Turn,
  told: { readonly key: string; readonly comment: CommentId; readonly words: string; readonly note: Note },
): Promise<Outcome> {
  const { comment, words, note } = told;
  const mark = readMark(findComment(turn, comment)?.body ?? "");
  const body = await composeBody(turn, { mark: mark === undefined ? null : { kept: mark }, words, blocks: [] });
  const key = `${told.key}#edit/${digestOf(words)}`;
  const why = { askedBy: "the plan", rule: "a comment says what holds now", inputs: [told.key] };
  return await ensureState(
    turn,
    { key, kind: "escalation_edit", lane: comment, head: turn.seen.pull.head.sha, why, note },
    () => turn.parts.forge.editComment({ pull: turn.ref, comment, body, urgency: "people" }),
    comment,
  );
}

/** The only mentions that Drover makes live: of people whom it means to call. Never of itself. */
export function calls(turn: Turn, logins: readonly string[]): string {
  const own = new Set([turn.seen.bot.login, turn.seen.rules.handle.slice(1)].map((name) => name.toLowerCase()));
  const others = logins.filter((login) => /^[\w.-]+$/.test(login) && !own.has(login.toLowerCase()));
  return others.length === 0 ? "" : `${others.map((login) => `@${login}`).join(" ")}\n\n`;
}
