import { announce } from "#act/announce.ts";
import { ensureComment } from "#act/comment.ts";
import type { Outcome } from "#act/effect.ts";
import type { Turn } from "#act/turn.ts";
import type { ActionOf } from "#core/model/action.ts";

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

/** The only mentions that Drover makes live: of people whom it means to call. Never of itself. */
export function calls(turn: Turn, logins: readonly string[]): string {
  const own = new Set([turn.seen.bot.login, turn.seen.rules.handle.slice(1)].map((name) => name.toLowerCase()));
  const others = logins.filter((login) => /^[\w.-]+$/.test(login) && !own.has(login.toLowerCase()));
  return others.length === 0 ? "" : `${others.map((login) => `@${login}`).join(" ")}\n\n`;
}
