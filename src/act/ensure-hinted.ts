import { ensureComment } from "#act/comment.ts";
import type { Outcome } from "#act/effect.ts";
import type { Turn } from "#act/turn.ts";
import type { ActionOf } from "#core/model/action.ts";

/** One comment that says why nothing was done. It is for its author alone: nobody is called, and nobody else is told. */
export async function ensureHinted(turn: Turn, { key, hint, text }: ActionOf<"hint">): Promise<Outcome> {
  return await ensureComment(turn, {
    key,
    kind: "hint",
    head: turn.seen.pull.head.sha,
    why: { askedBy: hint.by, rule: `hint: ${hint.kind}`, inputs: [hint.comment] },
    note: { kind: "escalated", key, severity: "info", text },
    thread: null,
    words: text,
    blocks: [],
  });
}
