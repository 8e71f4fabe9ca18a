import type { EffectOutcome } from "#act/effect.ts";
import { ensureNotified } from "#act/ensure-notified.ts";
import type { PullContext } from "#act/pull-context.ts";
import type { Obligation } from "#ports/store.ts";

/** The forge itself tells of all other effects. */
export async function announce(context: PullContext, obligation: Obligation): Promise<EffectOutcome> {
  const { effect: key, kind, head, note } = obligation;
  if (kind === "merge" && head !== null) return await ensureNotified(context, { key, what: { kind: "merged", head } });
  // A hint is recorded in the same way, but is for its author alone.
  if (kind === "escalation" && note.kind === "escalated") {
    const { severity, text } = note;
    return await ensureNotified(context, { key, what: { kind: "escalated", severity, text } });
  }
  return { kind: "done", result: null };
}
