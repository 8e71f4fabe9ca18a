import { earliest, formatDuration } from "#core/model/instant.ts";
import { type ModelCallContext, type TurnUsage, usageOf } from "#models/model-call-context.ts";
import type { ModelFailure } from "#models/read-failure.ts";
import { runTurn, type TurnContext } from "#models/run-turn.ts";
import { withDeadline } from "#models/with-deadline.ts";
import type { ModelTurn, TurnOutcome } from "#ports/model.ts";

export async function askChain<Value>(
  context: ModelCallContext,
  turn: ModelTurn<Value>,
  { isShort }: Pick<TurnContext<Value>, "isShort"> = { isShort: false },
): Promise<TurnOutcome<Value>> {
  const bill: TurnUsage = { purpose: turn.purpose, calls: [], onCall: turn.onCall };
  const limit = { ms: turn.limits.timeMsMax, signal: turn.signal };
  return await withDeadline(
    context.clock,
    limit,
    async (signal) => await alongChain(context, { turn, bill, signal, isShort }),
  );
}

/** The next model begins anew: thoughts and calls are in a form of each. After an unreadable answer none is asked. */
async function alongChain<Value>(
  context: ModelCallContext,
  atHand: Omit<TurnContext<Value>, "model">,
): Promise<TurnOutcome<Value>> {
  const { turn, bill, signal } = atHand;
  const failures: ModelFailure[] = [];
  for (const [index, model] of context.chain.entries()) {
    if (signal.aborted) break;
    const taken = await runTurn(context, { ...atHand, model });
    if (taken.kind !== "out") return { ...taken, usage: usageOf(bill) };
    failures.push(taken.failure);
    const next = context.chain[index + 1];
    if (next === undefined || signal.aborted) continue;
    context.log.warn({ model: model.name, next: next.name, why: taken.failure.why }, "model is out, asking the next");
  }
  const usage = usageOf(bill);
  if (turn.signal.aborted) return { kind: "failed", why: "nobody wants the answer any more", retryAt: null, usage };
  if (signal.aborted) return { kind: "failed", why: lateWords(turn, failures), retryAt: null, usage };
  const retryAt = earliest(failures.map((failure) => failure.retryAt ?? undefined)) ?? null;
  return { kind: "failed", why: failures.map(({ why }) => why).join("; "), retryAt, usage };
}

function lateWords<Value>({ limits }: ModelTurn<Value>, failures: readonly ModelFailure[]): string {
  // The model that was asked last is no reason; those before it are.
  const reasons = failures
    .filter(({ outcome, isPassing }) => isPassing || outcome === "rejected")
    .map(({ why }) => why);
  return [`no answer within ${formatDuration(limits.timeMsMax)}`, ...reasons].join("; ");
}
