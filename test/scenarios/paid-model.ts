import type { Clock } from "#ports/clock.ts";
import type { Answerer, Model, ModelCall, ModelPurpose, ModelTurn, TurnOutcome } from "#ports/model.ts";
import type { Reviewer } from "#ports/reviewer.ts";
import { modelReviewer } from "#reviewers/model/model-reviewer.ts";
import { aModelCall } from "#testing/spend-maker.ts";

/** Of what a model is asked it finds nothing wrong, and takes its money. */
export interface PaidModel extends Model {
  /** One for each request. */
  readonly asked: ModelPurpose[];
}

export interface PaidTerms {
  readonly name: string;
  /** What one request costs. A review of something small takes two. */
  readonly callMicroUsd: number;
  /** What it says before that one conversation, or one question, will cost; null: it does not know. */
  readonly estimateMicroUsd: number | null;
  /** How long it takes to answer. */
  readonly takes?: { readonly sleep: Clock["sleep"]; readonly ms: number };
}

export function paidModel({ name, callMicroUsd, estimateMicroUsd, takes }: PaidTerms): PaidModel {
  const asked: ModelPurpose[] = [];
  const call = async (purpose: ModelPurpose, onCall: ModelTurn<unknown>["onCall"]): Promise<ModelCall> => {
    asked.push(purpose);
    if (takes !== undefined) await takes.sleep(takes.ms);
    const made = aModelCall({ model: name, purpose, costMicroUsd: callMicroUsd });
    onCall?.(made);
    return made;
  };
  return {
    asked,
    estimate: () => estimateMicroUsd,
    ask: async ({ purpose, onCall }) => {
      await call(purpose, onCall);
      const text = purpose === "classify" ? JSON.stringify({ meaning: "question" }) : "Because.";
      return { kind: "answered", text, costMicroUsd: callMicroUsd };
    },
    converse: async <Value>(turn: ModelTurn<Value>): Promise<TurnOutcome<Value>> => {
      const made = await call(turn.purpose, turn.onCall);
      const usage = { calls: [made], costMicroUsd: callMicroUsd };
      const read = turn.shape?.safeParse({ summary: "Fine.", findings: [], verdicts: [] });
      if (read?.success !== true) return { kind: "unreadable", why: "it has nothing else to say", usage };
      return { kind: "answered", value: read.data, said: [{ from: "model", text: "{}" }], usage };
    },
  };
}

/** Who reviews and answers, with another one for when money is short. */
export function paidParts(
  usual: Model,
  cheap: Model | null = null,
): { readonly reviewer: Reviewer; readonly talker: Answerer } {
  const reviewer = modelReviewer({
    modelOf: (name) => (name === "cheap" ? cheap : usual),
    cheaperThan: () => (cheap === null ? null : "cheap"),
  });
  return { reviewer, talker: usual };
}
