import { act } from "#act/act.ts";
import { startTurn } from "#act/turn.ts";
import { after } from "#core/model/instant.ts";
import { actionKey } from "#core/plan/action-key.ts";
import { planEscalation } from "#core/plan/plan-escalation.ts";
import { failedRun } from "#core/words/run-words.ts";
import { createObserver } from "#observe/observe.ts";
import { ForgeError } from "#ports/forge.ts";
import type { Parts } from "#ports/parts.ts";
import type { PullRef } from "#ports/pull-ref.ts";

/**
 * One comment for each head, however often a run fails on it, found again by its mark. Where the forge cannot be reached
 * at all the log is all there is.
 */
export async function tellFailure(parts: Parts, pull: PullRef, troubles: readonly string[]): Promise<boolean> {
  try {
    const look = await createObserver(parts).look(pull);
    if (look.kind === "stale") return false;
    const { seen } = look.observed;
    const leaseUntil = after(parts.clock.now(), parts.spans.leaseMs);
    const turn = startTurn(parts, look.observed, { leaseUntil: () => leaseUntil, lookAgain: () => undefined });
    const key = actionKey("escalate", "run", seen.pull.head.sha);
    const [told] = planEscalation(seen, { key, severity: "warning", text: failedRun(seen, troubles) });
    // Nobody is called: whoever watches the run sees that it failed.
    if (told?.kind === "escalate") return (await act(turn, { ...told, to: [] })).kind === "done";
    return true;
  } catch (error) {
    if (!(error instanceof ForgeError)) throw error;
    return false;
  }
}
