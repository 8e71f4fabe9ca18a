import type { EffectOutcome } from "#act/effect.ts";
import { ensureComment } from "#act/ensure-comment.ts";
import type { PullContext } from "#act/pull-context.ts";
import type { ActionOf } from "#core/model/action.ts";

/** For its author only: no person is mentioned or notified. */
export async function ensureHinted(
  context: PullContext,
  { key, hint, text }: ActionOf<"hint">,
): Promise<EffectOutcome> {
  return await ensureComment(context, {
    key,
    kind: "hint",
    head: context.seen.pull.head.sha,
    why: { askedBy: hint.by, rule: `hint: ${hint.kind}`, inputs: [hint.comment] },
    note: { kind: "escalated", key, severity: "info", text },
    thread: null,
    words: text,
    blocks: [],
  });
}
