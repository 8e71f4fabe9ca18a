import type { EffectOutcome } from "#act/effect.ts";
import { ensureNotified } from "#act/ensure-notified.ts";
import { changeRecords, type PullContext } from "#act/pull-context.ts";
import type { ActionOf } from "#core/model/action.ts";

/** Sent first, then recorded: receivers count a repetition once. */
export async function ensureStatusEventSent(context: PullContext, action: ActionOf<"emit">): Promise<EffectOutcome> {
  const told = await ensureNotified(context, {
    key: action.key,
    what: { kind: "approval_changed", event: action.event },
  });
  if (told.kind !== "done") return told;
  await changeRecords(context, (records) =>
    (records.status?.count ?? 0) >= action.next.count ? records : { ...records, status: action.next },
  );
  return told;
}

export async function ensureFeedbackEmitted(
  context: PullContext,
  action: ActionOf<"emit_feedback">,
): Promise<EffectOutcome> {
  const { key, received, addressed, next } = action;
  const events = [
    { key: `${key}/received`, what: { kind: "feedback_received", event: received } },
    { key: `${key}/addressed`, what: { kind: "feedback_addressed", event: addressed } },
  ] as const;
  for (const event of events.filter(({ what }) => what.event.remarks.length > 0)) {
    const told = await ensureNotified(context, event);
    if (told.kind !== "done") return told;
  }
  await changeRecords(context, (records) =>
    (records.feedback?.count ?? 0) >= next.count ? records : { ...records, feedback: next },
  );
  return { kind: "done", result: null };
}
