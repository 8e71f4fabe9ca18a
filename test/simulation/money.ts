import type { ModelCall } from "#ports/model.ts";
import { aModelCall } from "#testing/spend-maker.ts";
import { type Installation, noteDetail, type World } from "./world.ts";

/** What the simulated reviewers and models cost, in millionths of a dollar. */
export const reviewMicroUsd = 1_000;
export const answerMicroUsd = 50;

/** Notes what was really paid, and tells whoever asked as a provider's bill would. */
export function pay(
  world: World,
  installation: Installation,
  paid: {
    readonly pull: number;
    readonly purpose: ModelCall["purpose"];
    readonly costMicroUsd: number;
    readonly onCall: ((call: ModelCall) => void) | undefined;
  },
): void {
  const { pull, purpose, costMicroUsd, onCall } = paid;
  installation.paidMicroUsd.set(pull, (installation.paidMicroUsd.get(pull) ?? 0) + costMicroUsd);
  noteDetail(world, () => `${installation.name} pays ${costMicroUsd} for ${purpose} of pull ${pull}`);
  onCall?.(aModelCall({ model: "simulated/model", purpose, costMicroUsd }));
}

/** Whether the next piece of paid work may be more than is left. What dead workers had set aside is kept for an hour. */
export function isNearlySpent(world: World, { budgets, paidMicroUsd }: Installation, pull: number): boolean {
  if (budgets?.pullUsd === undefined) return false;
  if (world.figures.counts.totals.takeovers > 0) return true;
  return (paidMicroUsd.get(pull) ?? 0) + reviewMicroUsd > budgets.pullUsd * 1_000_000;
}

/**
 * No pull costs more than its cap. A worker that dies, stands still or has lost its database between a call and its entry
 * in the books leaves what the call cost out of them; nothing is said of such lives.
 */
export function moneyProblem(world: World, installation: Installation, pull: number): string | null {
  const { budgets, paidMicroUsd, lostAt, lastPause } = installation;
  const cap = budgets?.pullUsd;
  if (cap === undefined || lostAt !== null || lastPause !== null || world.pulls.length > 1) return null;
  if (world.figures.counts.totals.takeovers > 0 || (world.figures.counts.faults["clock_jump"] ?? 0) > 0) return null;
  const paid = paidMicroUsd.get(pull) ?? 0;
  return paid <= cap * 1_000_000
    ? null
    : `${paid} millionths of a dollar were paid, and ${cap * 1_000_000} were allowed`;
}
