import type { EffectOutcome } from "#act/effect.ts";
import { ensureNotified } from "#act/ensure-notified.ts";
import type { PullContext } from "#act/pull-context.ts";
import type { Obligation } from "#ports/store.ts";

/** What others are told of an effect that is there: a merge, and a call for people. Of all else the forge tells. */
export async function announce(context: PullContext, obligation: Obligation): Promise<EffectOutcome> {
  const { effect: key, kind, head, note } = obligation;
  if (kind === "merge" && head !== null) return await ensureNotified(context, { key, what: { kind: "merged", head } });
  // A hint is written down beside them, and is for its author alone.
  if (kind === "escalation" && note.kind === "escalated") {
    const { severity, text } = note;
    return await ensureNotified(context, { key, what: { kind: "escalated", severity, text } });
  }
  return { kind: "done", result: null };
}
