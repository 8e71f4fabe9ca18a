import type { Effect, Outcome } from "#act/effect.ts";
import { gateAnnotations } from "#act/gate-annotations.ts";
import { ensureState } from "#act/ledger.ts";
import type { Turn } from "#act/turn.ts";
import type { ActionOf } from "#core/model/action.ts";
import { digestOf } from "#core/model/digest.ts";
import type { Gate } from "#core/model/situation.ts";
import { actionKey } from "#core/plan/action-key.ts";
import type { GateWish } from "#ports/store.ts";

/** Forges hang a gate on a commit, not on a pull: of all pulls with this head the worst is what everybody must see. */
export async function ensureGate(turn: Turn, action: ActionOf<"set_gate">): Promise<Outcome> {
  const { store } = turn.parts;
  const repository = `${turn.parts.instance}/${turn.ref.repository.id}`;
  const { head } = action;
  const own: GateWish = { repository, head, state: action.state, words: action.text };
  await store.saveGateWish(turn.key, own);
  const wishes = await store.findGateWishes({ repository, head });
  const [first = { ...own, pull: turn.key }, ...others] = wishes;
  const worst = others.reduce((left, right) => (weight(right) > weight(left) ? right : left), first);
  // Whichever pull it is set for, the words are the same: else the two would go on correcting each other.
  const words = others.length === 0 ? worst.words : `#${worst.pull.split("/").at(-1)}: ${worst.words}`;
  const { gate } = turn.seen;
  if (gate?.head === head && gate.state === worst.state && gate.words === words) {
    return { kind: "done", result: null, wasThere: true };
  }
  const effect: Effect = {
    key: others.length === 0 ? action.key : actionKey("set_gate", head, worst.state, digestOf(words)),
    kind: "gate",
    lane: "gate",
    head,
    why: { askedBy: "the plan", rule: `the gate is ${worst.state}`, inputs: [words] },
    note: { kind: "none" },
  };
  const annotations = gateAnnotations(turn, head);
  return await ensureState(turn, effect, () =>
    turn.parts.forge.setGate({ pull: turn.ref, head, state: worst.state, words, annotations }),
  );
}

const weights: Readonly<Record<Gate["state"], number>> = { success: 0, neutral: 1, pending: 2, failure: 3 };

function weight({ state }: GateWish): number {
  return weights[state];
}
