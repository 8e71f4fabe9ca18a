import { ensureComment } from "#act/ensure-comment.ts";
import type { PullContext } from "#act/pull-context.ts";
import type { BudgetRefusal } from "#core/budget/choose-offer.ts";
import { after, hourMs } from "#core/model/instant.ts";
import type { SessionRecord } from "#core/model/records.ts";
import { actionKey } from "#core/plan/action-key.ts";
import { unpaidSession } from "#core/words/session-words.ts";
import { type BudgetAccount, openBudgetAccount, wholeCall } from "#jobs/budget-account.ts";
import type { JobContext, JobOutcome } from "#jobs/job-context.ts";
import { countFailures } from "#jobs/job-retries.ts";
import { toWholeMicroUsd } from "#jobs/paid-call.ts";
import type { Agent, SessionOutcome } from "#ports/agent.ts";

export interface PayingSession {
  readonly jobContext: JobContext;
  readonly pullContext: PullContext;
  readonly session: SessionRecord;
  readonly agent: Agent;
  readonly costMicroUsdMax: number;
}

export interface SessionMoney {
  readonly costMicroUsdMax: number;
  /** Records the cost, gives back the rest, and answers with all that was spent. */
  settle(outcome: SessionOutcome, ms: number): Promise<number>;
}

/** With too little left a session begins with a half, a quarter and so on of its limit, down to this. */
const halvesMax = 5;
/** For caps without a renewal time: the operator may have raised them. */
const askAgainMs = hourMs;

/** Without money the session waits, and the pull is told once for each cap and day. */
export async function paySession(paying: PayingSession): Promise<SessionMoney | JobOutcome> {
  const { jobContext, pullContext, session, agent, costMicroUsdMax } = paying;
  if (agent.price === "free") {
    return { costMicroUsdMax: 0, settle: async (outcome) => toWholeMicroUsd(outcome.costMicroUsd ?? 0) };
  }
  const name = `purse of work ${await countFailures(jobContext, "work")}`;
  const account = await openBudgetAccount(jobContext, { pull: pullContext.ref, head: session.head, role: null, name });
  const offers = offersOf(agent, costMicroUsdMax);
  const choice = await account.reserve(offers.map((costMicroUsd) => ({ costMicroUsd, delivery: "now" as const })));
  if (choice.kind === "refused") return await waitForMoney(paying, choice);
  const limit = offers[choice.index] ?? costMicroUsdMax;
  return { costMicroUsdMax: limit, settle: settler(account, limit) };
}

function offersOf({ price }: Agent, costMicroUsdMax: number): readonly (number | null)[] {
  if (price === "unknown") return [null];
  return Array.from({ length: halvesMax }, (_, halves) => Math.max(1, Math.floor(costMicroUsdMax / 2 ** halves)));
}

async function waitForMoney(
  { jobContext, pullContext, session }: PayingSession,
  refusal: BudgetRefusal,
): Promise<JobOutcome> {
  const overAt = refusal.why === "cap" ? refusal.overAt : null;
  const cap = refusal.why === "cap" ? refusal.cap : "unpriced";
  const told = await ensureComment(pullContext, {
    key: actionKey("session_unpaid", cap, overAt ?? "for good"),
    head: session.head,
    why: { askedBy: `session ${session.id}`, rule: "no money is left for a session", inputs: [] },
    note: { kind: "none" },
    kind: "session_report",
    thread: null,
    words: unpaidSession(refusal, pullContext.seen.rules.handle),
    blocks: [],
  });
  if (told.kind === "later") return { kind: "again", at: told.at };
  return { kind: "waits", at: overAt ?? after(jobContext.dependencies.clock.now(), askAgainMs) };
}

/** If the agent cannot tell its cost, all that it was allowed counts. */
function settler(account: BudgetAccount, limit: number): SessionMoney["settle"] {
  return async ({ kind, costMicroUsd }, ms) => {
    const isPriced = costMicroUsd !== null && Number.isFinite(costMicroUsd);
    const cost = toWholeMicroUsd(isPriced ? costMicroUsd : limit);
    const outcome = kind === "failed" ? "unavailable" : "answered";
    account.onCall(wholeCall({ model: "agent", purpose: "session", costMicroUsd: cost, isPriced, ms, outcome }));
    return await account.settle(cost);
  };
}
