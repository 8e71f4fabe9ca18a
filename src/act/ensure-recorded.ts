import type { EffectOutcome } from "#act/effect.ts";
import { changeRecords, type PullContext } from "#act/pull-context.ts";
import { replaceByKey } from "#core/effects/record-update.ts";
import type { ActionOf } from "#core/model/action.ts";
import type { Records } from "#core/model/records.ts";
import { never } from "#core/never.ts";

type Remembered = ActionOf<"record_head" | "record_approval" | "record_times">;

export async function ensureRecorded(context: PullContext, action: Remembered): Promise<EffectOutcome> {
  await changeRecords(context, (records) => remember(records, action));
  return { kind: "done", result: null };
}

function remember(records: Records, action: Remembered): Records {
  switch (action.kind) {
    case "record_head": {
      const heads = replaceByKey(records.heads, action.head, ({ sha, since }) => `${sha} ${since}`);
      return { ...records, heads };
    }
    case "record_approval": {
      // The first one counts: the head at the time of an approval does not change afterwards.
      const isKnown = records.approvals.some((known) => known.signal === action.approval.signal);
      return isKnown ? records : { ...records, approvals: [...records.approvals, action.approval] };
    }
    case "record_times":
      return { ...records, ...action.times };
    default:
      return never(action);
  }
}
