import type { Outcome } from "#act/effect.ts";
import { ensureState } from "#act/ledger.ts";
import type { Turn } from "#act/turn.ts";
import { ForgeError } from "#ports/forge.ts";
import type { Notice } from "#ports/notifier.ts";

/** Somebody outside of the forge is told, at least once, under a key by which they can count. */
export async function ensureNotified(
  turn: Turn,
  notice: { readonly key: string; readonly what: Notice["what"] },
): Promise<Outcome> {
  const { key, what } = notice;
  return await ensureState(
    turn,
    {
      key: `${key}#notice`,
      kind: "notice",
      lane: `${key}#notice`,
      head: turn.seen.pull.head.sha,
      why: { askedBy: "the plan", rule: `told: ${what.kind}`, inputs: [key] },
      note: { kind: "none" },
    },
    () => notify(turn, { key: `${turn.key}/${key}`, pull: turn.ref, what }),
  );
}

/** Whoever does not listen now is told later; nothing else waits for them. */
async function notify(turn: Turn, notice: Notice): Promise<void> {
  try {
    await turn.parts.notifier.notify(notice);
  } catch (cause) {
    throw new ForgeError("unavailable", `${notice.key}: could not be told`, { isApplied: "unknown", cause });
  }
}
