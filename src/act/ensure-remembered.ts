import type { Outcome } from "#act/effect.ts";
import { changeRecords, type Turn } from "#act/turn.ts";
import { replace } from "#core/effects/note.ts";
import type { ActionOf } from "#core/model/action.ts";
import type { Records } from "#core/model/records.ts";
import { never } from "#core/never.ts";

type Remembered = ActionOf<"record_head" | "record_approval" | "record_times">;

/** Only the records change: nobody outside sees it. */
export async function ensureRemembered(turn: Turn, action: Remembered): Promise<Outcome> {
  await changeRecords(turn, (records) => remember(records, action));
  return { kind: "done", result: null };
}

function remember(records: Records, action: Remembered): Records {
  switch (action.kind) {
    case "record_head": {
      const heads = replace(records.heads, action.head, ({ sha, since }) => `${sha} ${since}`);
      return { ...records, heads };
    }
    case "record_approval": {
      // The first word holds: the head that stood when it was given does not change afterwards.
      const isKnown = records.approvals.some((known) => known.signal === action.approval.signal);
      return isKnown ? records : { ...records, approvals: [...records.approvals, action.approval] };
    }
    case "record_times":
      return { ...records, ...action.times };
    default:
      return never(action);
  }
}
