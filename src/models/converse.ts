import { earliest, formatDuration } from "#core/model/instant.ts";
import { type Bill, type Desk, usageOf } from "#models/desk.ts";
import type { Failure } from "#models/read-failure.ts";
import { type TurnAtHand, takeTurn } from "#models/take-turn.ts";
import { withinTime } from "#models/within-time.ts";
import type { ModelTurn, TurnOutcome } from "#ports/model.ts";

/** One turn with the first model of the chain that is there. */
export async function converse<Value>(
  desk: Desk,
  turn: ModelTurn<Value>,
  { isShort }: Pick<TurnAtHand<Value>, "isShort"> = { isShort: false },
): Promise<TurnOutcome<Value>> {
  const bill: Bill = { purpose: turn.purpose, calls: [], onCall: turn.onCall };
  const limit = { ms: turn.limits.timeMsMax, signal: turn.signal };
  return await withinTime(desk.clock, limit, async (signal) => await alongChain(desk, { turn, bill, signal, isShort }));
}

/**
 * The next model begins the turn anew: what another has thought and called is in a form of its own. An answer that cannot
 * be read is the end, though: asking on would look for a model that says something, whatever it is.
 */
async function alongChain<Value>(desk: Desk, atHand: Omit<TurnAtHand<Value>, "model">): Promise<TurnOutcome<Value>> {
  const { turn, bill, signal } = atHand;
  const failures: Failure[] = [];
  for (const [index, model] of desk.chain.entries()) {
    if (signal.aborted) break;
    const taken = await takeTurn(desk, { ...atHand, model });
    if (taken.kind !== "out") return { ...taken, usage: usageOf(bill) };
    failures.push(taken.failure);
    const next = desk.chain[index + 1];
    if (next === undefined || signal.aborted) continue;
    desk.log.warn({ model: model.name, next: next.name, why: taken.failure.why }, "model is out, asking the next");
  }
  const usage = usageOf(bill);
  if (turn.signal.aborted) return { kind: "failed", why: "nobody wants the answer any more", retryAt: null, usage };
  if (signal.aborted) return { kind: "failed", why: lateWords(turn, failures), retryAt: null, usage };
  const retryAt = earliest(failures.map((failure) => failure.retryAt ?? undefined)) ?? null;
  return { kind: "failed", why: failures.map(({ why }) => why).join("; "), retryAt, usage };
}

function lateWords<Value>({ limits }: ModelTurn<Value>, failures: readonly Failure[]): string {
  // Whoever was being asked when the time was up did nothing wrong; those before are a reason.
  const reasons = failures
    .filter(({ outcome, isPassing }) => isPassing || outcome === "rejected")
    .map(({ why }) => why);
  return [`no answer within ${formatDuration(limits.timeMsMax)}`, ...reasons].join("; ");
}
