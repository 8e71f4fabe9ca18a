import { ensureComment } from "#act/comment.ts";
import type { Outcome } from "#act/effect.ts";
import { ensureState } from "#act/ledger.ts";
import { changeRecords, type Turn } from "#act/turn.ts";
import { takeNote } from "#core/effects/note.ts";
import type { ActionOf } from "#core/model/action.ts";
import type { Finding } from "#core/model/finding.ts";

/** The thread of a settled finding gets a last word and is resolved, where the forge can. */
export async function ensureFindingClosed(turn: Turn, action: ActionOf<"close_finding">): Promise<Outcome> {
  const finding = turn.seen.records.findings.find(({ id }) => id === action.finding);
  const note = { kind: "thread_closed", thread: action.thread } as const;
  const { mayResolveThreads } = turn.seen.capabilities;
  const why = { askedBy: "the plan", rule: "a settled finding's thread is answered", inputs: [action.finding] };
  const said = wasTold(turn, finding)
    ? told
    : await ensureComment(turn, {
        key: action.key,
        kind: "closing",
        head: finding?.head ?? null,
        why,
        note: mayResolveThreads ? { kind: "none" } : note,
        thread: action.thread,
        words: action.text,
        blocks: finding === undefined ? [] : [{ type: "review-finding", data: finding }],
      });
  if (said.kind === "refused" && said.error === "not_found") return await forget(turn, note);
  if (said === told && !mayResolveThreads) return await forget(turn, note);
  if (said.kind !== "done" || !mayResolveThreads) return said;
  const resolved = await ensureState(
    turn,
    { key: `${action.key}#resolve`, kind: "resolved_thread", lane: action.key, head: null, why, note },
    () => turn.parts.forge.resolveThread({ pull: turn.ref, thread: action.thread }),
  );
  return resolved.kind === "refused" ? await forget(turn, note) : resolved;
}

const told: Outcome = { kind: "done", result: null };

/** Whoever argued a finding away has their answer in the thread: a second one would only repeat it. */
function wasTold(turn: Turn, finding: Finding | undefined): boolean {
  if (finding?.state.kind !== "resolved" || finding.state.resolution.how === "fixed") return false;
  return turn.seen.records.disputes.some((dispute) => dispute.finding === finding.id);
}

/** The thread is gone, or we may not resolve it: there is nothing more to be done about it. */
async function forget(
  turn: Turn,
  note: { readonly kind: "thread_closed"; readonly thread: ActionOf<"close_finding">["thread"] },
): Promise<Outcome> {
  await changeRecords(turn, (records) => takeNote(records, note, null));
  return { kind: "done", result: null };
}
