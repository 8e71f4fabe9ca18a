import type { EvalBudget } from "#app/eval/eval-budget.ts";
import { answerSubjectOf, type EvalTask } from "#app/eval/eval-task.ts";
import { type CaseAnswer, caseJob, type ReviewCaseOptions, reviewCase } from "#app/eval/review-case.ts";
import type { RunSetOptions } from "#app/eval/run-set.ts";
import { StartError } from "#app/serve/block-secret-file.ts";
import type { Shortage } from "#core/eval/eval-run.ts";

export type TaskOutcome =
  | { readonly kind: "answered"; readonly answer: CaseAnswer }
  | { readonly kind: "no_money"; readonly shortage: Shortage }
  /** Somebody stopped it meanwhile. What it cost until then is gone. */
  | { readonly kind: "stopped"; readonly costMicroUsd: number };

/** Gets the answer to a task: one that was kept, or else a new one, if there is money for it. */
export async function runEvalTask(task: EvalTask, options: RunSetOptions, budget: EvalBudget): Promise<TaskOutcome> {
  const subject = answerSubjectOf(options, task);
  const known = options.kept?.find(subject);
  if (known !== undefined) return { kind: "answered", answer: known };
  const look = { ...task, role: task.role.name, reviews: options.reviews, signal: options.signal, now: options.now };
  const price = options.budgetMicroUsd === null ? 0 : await priceOf(task, look);
  const reserved = price ?? budget.dearest() ?? 0;
  if (!budget.reserve(reserved)) {
    const by = price === null ? "earlier_looks" : "prices";
    return { kind: "no_money", shortage: { lookMicroUsd: reserved, by, leftMicroUsd: budget.left() ?? 0 } };
  }
  const answer = await reviewCase(task.reviewer, look);
  const { costMicroUsd } = answer.spent;
  budget.settle({ reserved, spent: costMicroUsd });
  // Whatever a reviewer says after it was told to stop is no answer.
  if (options.signal.aborted) return { kind: "stopped", costMicroUsd };
  if (task.role.reviewer !== "rules") await options.kept?.keep(subject, answer);
  return { kind: "answered", answer };
}

/** About what a look will cost; null where the reviewer does not say. */
async function priceOf({ reviewer, role }: EvalTask, look: ReviewCaseOptions): Promise<number | null> {
  const [offer] = (await reviewer.offers?.(caseJob(look))) ?? [];
  if (offer === undefined || offer.costMicroUsd !== null) return offer?.costMicroUsd ?? null;
  throw new StartError(
    `The price of the model for role ${role.name} is unknown, so --budget cannot be enforced. Set its price under \`prices\` in the configuration.`,
  );
}
