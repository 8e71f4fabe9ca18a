import type { AnswerCache } from "#app/eval/answer-cache.ts";
import { runEvalTask } from "#app/eval/answer-task.ts";
import { type EvalBudget, openEvalBudget } from "#app/eval/eval-budget.ts";
import { type EvalTask, judgeAnswer, tasksOf } from "#app/eval/eval-task.ts";
import type { SetCase } from "#app/eval/read-case.ts";
import type { Reviewers } from "#app/review/run-roles.ts";
import type { CasePass, CaseResult, EvalEnding, EvalRun, Shortage, StoppedWhy } from "#core/eval/eval-run.ts";
import { preciseDollars } from "#core/eval/eval-words.ts";
import { groupBy } from "#core/group-by.ts";
import type { ReviewRules } from "#core/model/rules.ts";
import { never } from "#core/never.ts";
import { thresholdsOf } from "#core/review/role-thresholds.ts";

export interface RunSetOptions {
  /** For people: the name of its file. */
  readonly configuration: string;
  readonly cases: readonly SetCase[];
  readonly reviews: ReviewRules;
  /** Those of the rules that are asked. Each has somebody who plays it. */
  readonly roles: ReviewRules["roles"];
  readonly reviewers: Reviewers;
  readonly attempts: number;
  /** Looks at the same time. */
  readonly looksMax: number;
  readonly budgetMicroUsd: number | null;
  readonly kept: AnswerCache | null;
  /** All that the models are made of, to know answers again. */
  readonly maker: string;
  readonly signal: AbortSignal;
  readonly tell: (words: string) => void;
  readonly now: () => number;
}

/** Lets every role look at every case, as often as wanted. Stopped half-way, it answers with what was done. */
export async function runSet(options: RunSetOptions): Promise<EvalRun> {
  const { configuration, reviews, roles, attempts } = options;
  const tasks = tasksOf(options);
  const work: Work = {
    options,
    tasks,
    purse: openEvalBudget(options.budgetMicroUsd),
    looks: new Map(),
    next: 0,
    stopped: null,
    failuresInRow: 0,
    lostMicroUsd: 0,
  };
  // What a look costs is known after the first one; until then they do not run side by side where money counts.
  if (options.budgetMicroUsd !== null) {
    while (work.purse.dearest() === null && (await workOff(work)));
  }
  await Promise.all(
    Array.from({ length: options.looksMax }, async () => {
      while (await workOff(work));
    }),
  );
  return {
    configuration,
    roles: roles.map(({ name, reviewer }) => ({
      name,
      reviewer,
      blockingScore: thresholdsOf(reviews, name).blockingScore,
    })),
    thresholds: { problemScore: reviews.problemScore, blockingScore: reviews.blockingScore },
    attempts,
    cases: resultsOf(work),
    ending: endingOf(work),
  };
}

interface Work {
  readonly options: RunSetOptions;
  readonly tasks: readonly EvalTask[];
  readonly purse: EvalBudget;
  readonly looks: Map<EvalTask, CasePass>;
  next: number;
  /** Why no look is begun any more. */
  stopped: Stopped | null;
  failuresInRow: number;
  lostMicroUsd: number;
}

type Stopped =
  | { readonly why: Exclude<StoppedWhy, "budget"> }
  | { readonly why: "budget"; readonly shortage: Shortage };

/** After so many, the key is wrong or the provider is out: the next hundred would only take their time to fail. */
const failuresInRowMax = 5;

/** Takes the next look and does it. False: there is none, or nobody wants one any more. */
async function workOff(work: Work): Promise<boolean> {
  const { options, tasks, looks } = work;
  const task = tasks[work.next];
  if (task === undefined || work.stopped !== null || options.signal.aborted) return false;
  work.next += 1;
  const outcome = await runEvalTask(task, options, work.purse);
  switch (outcome.kind) {
    case "no_money":
      // Of looks that begin side by side, the first that found no money says what is missing.
      work.stopped ??= { why: "budget", shortage: outcome.shortage };
      return false;
    case "stopped":
      work.lostMicroUsd += outcome.costMicroUsd;
      return false;
    case "answered":
      looks.set(task, judgeAnswer(task, outcome.answer, options.reviews));
      work.failuresInRow = outcome.answer.outcome.kind === "failed" ? work.failuresInRow + 1 : 0;
      if (work.failuresInRow >= failuresInRowMax) work.stopped = { why: "failing" };
      options.tell(progressWords(work));
      return true;
    default:
      return never(outcome);
  }
}

function progressWords({ tasks, looks, options: { configuration } }: Work): string {
  const cost = [...looks.values()].reduce((sum, { spent }) => sum + (spent.isKept ? 0 : spent.costMicroUsd), 0);
  const money = cost === 0 ? "" : `, ${preciseDollars(cost)}`;
  return `${configuration}: ${looks.size} of ${tasks.length} looks${money}`;
}

function resultsOf({ options: { cases }, tasks, looks }: Work): readonly CaseResult[] {
  const byCase = groupBy(tasks, ({ setCase }) => setCase);
  return cases.map((setCase) => ({
    case: setCase.case,
    digest: setCase.digest,
    looks: (byCase.get(setCase) ?? []).flatMap((task) => looks.get(task) ?? []),
  }));
}

function endingOf({ tasks, looks, stopped, lostMicroUsd }: Work): EvalEnding {
  const looksLeft = tasks.length - looks.size;
  if (looksLeft === 0) return { kind: "whole" };
  return { kind: "stopped", ...(stopped ?? { why: "asked" }), looksLeft, lostMicroUsd };
}
