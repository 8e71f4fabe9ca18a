import type { EffectOutcome } from "#act/effect.ts";
import { ensureState } from "#act/ledger.ts";
import type { PullContext } from "#act/pull-context.ts";
import { ForgeError } from "#ports/forge.ts";
import type { Notice } from "#ports/notifier.ts";

/** At least once: receivers recognise a repetition by the key. */
export async function ensureNotified(
  context: PullContext,
  notice: { readonly key: string; readonly what: Notice["what"] },
): Promise<EffectOutcome> {
  const { key, what } = notice;
  return await ensureState(
    context,
    {
      key: `${key}#notice`,
      kind: "notice",
      lane: `${key}#notice`,
      head: context.seen.pull.head.sha,
      why: { askedBy: "the plan", rule: `told: ${what.kind}`, inputs: [key] },
      note: { kind: "none" },
    },
    () => notify(context, { key: `${context.key}/${key}`, pull: context.ref, what }),
  );
}

/** A failed notice is sent later; nothing else waits for it. */
async function notify(context: PullContext, notice: Notice): Promise<void> {
  try {
    await context.dependencies.notifier.notify(notice);
  } catch (cause) {
    throw new ForgeError("unavailable", `${notice.key}: could not be told`, { isApplied: "unknown", cause });
  }
}
