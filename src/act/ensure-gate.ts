import type { Outcome } from "#act/effect.ts";
import { ensureState } from "#act/ledger.ts";
import type { Turn } from "#act/turn.ts";
import type { ActionOf } from "#core/model/action.ts";

export async function ensureGate(turn: Turn, action: ActionOf<"set_gate">): Promise<Outcome> {
  const { head, state, text } = action;
  return await ensureState(
    turn,
    {
      key: action.key,
      kind: "gate",
      lane: "gate",
      head,
      why: { askedBy: "the plan", rule: `the gate is ${state}`, inputs: [text] },
      note: { kind: "none" },
    },
    () => turn.parts.forge.setGate({ pull: turn.ref, head, state, words: text }),
  );
}
