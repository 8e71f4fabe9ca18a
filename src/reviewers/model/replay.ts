import { digestOf } from "#core/model/digest.ts";
import type { PackedCall } from "#core/prompt/pack-diff.ts";
import { type BatchAnswer, type BatchRequest, requestIdCharactersMax } from "#ports/batches.ts";
import type { Model, ModelTurn, ModelUsage, TurnOutcome } from "#ports/model.ts";

export interface Replay {
  modelFor(role: string, call: PackedCall): Model;
  /** While there are any, the result of the review means nothing. */
  readonly unasked: readonly BatchRequest[];
}

export function startReplay(answers: readonly BatchAnswer[]): Replay {
  const byId = new Map(answers.map((answer) => [answer.id, answer]));
  const unasked: BatchRequest[] = [];
  return {
    unasked,
    modelFor: (role, call) => ({
      ask: () => Promise.reject(new Error("nothing is asked in passing by batch")),
      estimate: () => null,
      converse: async (turn) => {
        const id = requestId(turn.purpose, { role, call });
        const answer = byId.get(id);
        if (answer !== undefined) return repeated(turn, answer);
        if (turn.shape !== null) {
          const { purpose, messages, shape, limits } = turn;
          unasked.push({ id, purpose, messages, shape, answerTokensMax: limits.answerTokensMax });
        }
        return { kind: "failed", why: "nobody has been asked yet", retryAt: null, usage: nothingSpent };
      },
    }),
  };
}

const nothingSpent: ModelUsage = { calls: [], costMicroUsd: 0 };

const stages: ReadonlyMap<string, string> = new Map([
  ["review_find", "find"],
  ["review_verify", "check"],
]);
const stageCharactersMax = 6;
const digestCharacters = requestIdCharactersMax - stageCharactersMax - 1;

/** By its code, so answers to other packing do not fit; not by the description, of which edits would cost new reads. */
function requestId(purpose: string, { role, call }: { readonly role: string; readonly call: PackedCall }): string {
  const digest = digestOf(JSON.stringify([role, call.text])).slice(0, digestCharacters);
  return `${digest}-${stages.get(purpose) ?? "other"}`;
}

/** Read again, since it comes out of a store. */
function repeated<Value>({ shape, purpose }: ModelTurn<Value>, answer: BatchAnswer): TurnOutcome<Value> {
  const calls = [{ ...answer.call, purpose }];
  const usage = { calls, costMicroUsd: answer.call.costMicroUsd };
  if (answer.kind === "unanswered") {
    return { kind: "failed", why: `a request of the batch ${unansweredWords[answer.why]}`, retryAt: null, usage };
  }
  if (answer.kind === "unreadable") return { kind: "unreadable", why: answer.why, usage };
  const read = shape?.safeParse(answer.value);
  if (read?.success !== true) return { kind: "unreadable", why: "the answer has another shape", usage };
  return { kind: "answered", value: read.data, said: [{ from: "model", text: answer.text }], usage };
}

const unansweredWords = {
  failed: "came back with an error",
  expired: "was not answered in time",
  cancelled: "was cancelled",
} as const;
