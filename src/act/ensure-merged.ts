import { announce } from "#act/announce.ts";
import type { Outcome } from "#act/effect.ts";
import { ensureOnce, findMerge } from "#act/ledger.ts";
import type { Turn } from "#act/turn.ts";
import type { HeadSha } from "#core/model/ids.ts";
import { never } from "#core/never.ts";
import { ForgeError, type MergeOutcome } from "#ports/forge.ts";

/** The forge is asked to merge this very commit. What it answered to a lost request, the next look shows. */
export async function ensureMerged(
  turn: Turn,
  action: { readonly key: string; readonly head: HeadSha; readonly baseBranch: string },
): Promise<Outcome> {
  const { key, head, baseBranch } = action;
  const effect = {
    key,
    kind: "merge",
    lane: "merge",
    head,
    why: { askedBy: "the plan", rule: "all conditions of the flight plan are met", inputs: [head, baseBranch] },
    note: { kind: "none" },
  } as const;
  return await ensureOnce(turn, effect, {
    compose: async () => head,
    send: () => merge(turn, head),
    find: findMerge(head),
    announce,
  });
}

async function merge(turn: Turn, head: HeadSha): Promise<string> {
  const outcome = await turn.parts.forge.merge({ pull: turn.ref, head });
  if (outcome.kind === "merged") return outcome.commit;
  throw new ForgeError("conflict", `merge of ${head}: ${whyNot(outcome)}`, { isApplied: "no" });
}

/** What was handed over is not merged yet; the next look shows what became of it. */
function whyNot(outcome: Exclude<MergeOutcome, { readonly kind: "merged" }>): string {
  switch (outcome.kind) {
    case "head_moved":
      return "the head has moved";
    case "handed_over":
      return outcome.to === "queue" ? "it waits in the forge's queue" : "the forge merges it when it may";
    case "not_now":
      return outcome.why;
    default:
      return never(outcome);
  }
}
