import type { EffectOutcome } from "#act/effect.ts";
import { ensureComment } from "#act/ensure-comment.ts";
import { changeRecords, type PullContext } from "#act/pull-context.ts";
import { applyRecordUpdate } from "#core/effects/record-update.ts";
import type { ActionOf } from "#core/model/action.ts";

type Ended = ActionOf<"dismiss_manual_review" | "complete_manual_review">;

/** Written only if there is more to say than the review says. */
export async function ensureManualReviewEnded(context: PullContext, action: Ended): Promise<EffectOutcome> {
  const { comment, head, text } = action;
  const isDismissed = action.kind === "dismiss_manual_review";
  const record = { comment, head, status: isDismissed ? "DISMISSED_BY_AUTO_REVIEW" : "COMPLETED" } as const;
  const note = { kind: "manual_review", record } as const;
  if (text === null) {
    await changeRecords(context, (records) => applyRecordUpdate(records, note, null));
    return { kind: "done", result: null };
  }
  return await ensureComment(context, {
    key: action.key,
    kind: isDismissed ? "dismissal" : "completion",
    head,
    why: isDismissed
      ? { askedBy: "the automatic review", rule: "an automatic review covers pending requests", inputs: [comment] }
      : { askedBy: `comment ${comment}`, rule: "reviews.tellsEnd", inputs: [comment] },
    note,
    thread: null,
    words: text,
    blocks: [{ type: "manual-pr-review", data: record }],
  });
}
