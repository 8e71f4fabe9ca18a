import type { EffectOutcome } from "#act/effect.ts";
import { ensureComment } from "#act/ensure-comment.ts";
import { ensureState } from "#act/ledger.ts";
import { changeRecords, type PullContext } from "#act/pull-context.ts";
import { applyRecordUpdate } from "#core/effects/record-update.ts";
import type { ActionOf } from "#core/model/action.ts";
import type { Finding } from "#core/model/finding.ts";

export async function ensureFindingClosed(
  context: PullContext,
  action: ActionOf<"close_finding">,
): Promise<EffectOutcome> {
  const finding = context.seen.records.findings.find(({ id }) => id === action.finding);
  const note = { kind: "thread_closed", thread: action.thread } as const;
  const { mayResolveThreads } = context.seen.capabilities;
  const why = { askedBy: "the plan", rule: "a settled finding's thread is answered", inputs: [action.finding] };
  const said = wasTold(context, finding)
    ? told
    : await ensureComment(context, {
        key: action.key,
        kind: "closing",
        head: finding?.head ?? null,
        why,
        note: mayResolveThreads ? { kind: "none" } : note,
        thread: action.thread,
        words: action.text,
        blocks: finding === undefined ? [] : [{ type: "review-finding", data: finding }],
      });
  if (said.kind === "refused" && said.error === "not_found") return await forget(context, note);
  if (said === told && !mayResolveThreads) return await forget(context, note);
  if (said.kind !== "done" || !mayResolveThreads) return said;
  const resolved = await ensureState(
    context,
    { key: `${action.key}#resolve`, kind: "resolved_thread", lane: action.key, head: null, why, note },
    () => context.dependencies.forge.resolveThread({ pull: context.ref, thread: action.thread }),
  );
  return resolved.kind === "refused" ? await forget(context, note) : resolved;
}

const told: EffectOutcome = { kind: "done", result: null };

/** After a conceded dispute the thread already has an answer; a second one would repeat it. */
function wasTold(context: PullContext, finding: Finding | undefined): boolean {
  if (finding?.state.kind !== "resolved" || finding.state.resolution.how === "fixed") return false;
  return context.seen.records.disputes.some((dispute) => dispute.finding === finding.id);
}

/** The thread is gone, or we may not resolve it, so it is not tried again. */
async function forget(
  context: PullContext,
  note: { readonly kind: "thread_closed"; readonly thread: ActionOf<"close_finding">["thread"] },
): Promise<EffectOutcome> {
  await changeRecords(context, (records) => applyRecordUpdate(records, note, null));
  return { kind: "done", result: null };
}
