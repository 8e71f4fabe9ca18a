import { announce } from "#act/announce.ts";
import type { EffectOutcome } from "#act/effect.ts";
import { ensureOnce, findMerge } from "#act/ledger.ts";
import { changeRecords, type PullContext } from "#act/pull-context.ts";
import { type DelegatedMerge, isDelegated, recordDelegation } from "#core/model/delegated-merge.ts";
import { after, type Instant } from "#core/model/instant.ts";
import { never } from "#core/never.ts";
import { ForgeError, type MergeOutcome } from "#ports/forge.ts";

/** A forge compares only the head, so the approvals, holds and base that were seen must not be old. */
export async function ensureMerged(
  context: PullContext,
  action: DelegatedMerge & { readonly key: string },
): Promise<EffectOutcome> {
  const { key, head, baseBranch } = action;
  const effect = {
    key,
    kind: "merge",
    lane: "merge",
    head,
    why: { askedBy: "the plan", rule: "all conditions of the flight plan are met", inputs: [head, baseBranch] },
    note: { kind: "none" },
  } as const;
  return await ensureOnce(context, effect, {
    compose: async () => head,
    send: () => merge(context, action),
    find: findMerge(head),
    announce,
  });
}

async function merge(context: PullContext, { head, baseBranch, wish }: DelegatedMerge): Promise<string> {
  const { clock, forge, durations } = context.dependencies;
  if (clock.now() > after(context.askedAt, durations.leaseMs)) {
    const why = `merge of ${head}: the pull was read too long ago`;
    throw new ForgeError("conflict", why, { isApplied: "no", retryAt: clock.now() });
  }
  const handOver: DelegatedMerge = { head, baseBranch, wish };
  const isHandedOver = isDelegated(context.seen.records, "taken", handOver);
  const outcome = await forge.merge({ pull: context.ref, head, ...(isHandedOver ? { isHandedOver } : {}) });
  const refuse = (retryAt: Instant | null): never => {
    throw new ForgeError("conflict", `merge of ${head}: ${whyNot(outcome)}`, { isApplied: "no", retryAt });
  };
  switch (outcome.kind) {
    case "merged":
      return outcome.commit;
    case "handed_over":
      await changeRecords(context, (records) => recordDelegation(records, "taken", handOver));
      // The forge may not show the hand-over at once, which would look as if it had dropped it.
      return refuse(isHandedOver ? null : after(clock.now(), durations.settleMs));
    case "handed_back":
      await changeRecords(context, (records) => recordDelegation(records, "given_back", handOver));
      return refuse(clock.now());
    default:
      return refuse(null);
  }
}

function whyNot(outcome: MergeOutcome): string {
  switch (outcome.kind) {
    case "merged":
      return "it is merged";
    case "head_moved":
      return "the head has moved";
    case "handed_over":
      return outcome.to === "queue" ? "it waits in the forge's queue" : "the forge merges it when it may";
    case "handed_back":
      return "the forge has let go of it";
    case "not_now":
      return outcome.why;
    default:
      return never(outcome);
  }
}
