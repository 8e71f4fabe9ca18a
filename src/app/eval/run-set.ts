import type { AnswerCache, AnswerSubject } from "#app/eval/answer-cache.ts";
import type { SetCase } from "#app/eval/read-case.ts";
import { type CaseAnswer, caseJob, type ReviewCaseOptions, reviewCase } from "#app/eval/review-case.ts";
import type { Reviewers } from "#app/review/run-roles.ts";
import { StartError } from "#app/start-error.ts";
import type { CasePass, CaseResult, EvalEnding, EvalRun, Shortage, StoppedWhy } from "#core/eval/eval-run.ts";
import { preciseDollars } from "#core/eval/eval-words.ts";
import { judgeFindings } from "#core/eval/judge-findings.ts";
import { groupBy } from "#core/group-by.ts";
import type { RawFinding } from "#core/model/finding.ts";
import { HeadSha } from "#core/model/ids.ts";
import { instant } from "#core/model/instant.ts";
import type { ReviewRules } from "#core/model/rules.ts";
import { never } from "#core/never.ts";
import { converge } from "#core/review/converge.ts";
import { briefOf } from "#core/review/role-brief.ts";
import { thresholdsOf } from "#core/review/role-thresholds.ts";
import { type BudgetAccount, openCommandAccounts, wholeCall } from "#jobs/budget-account.ts";
import type { Reviewer } from "#ports/reviewer.ts";
import { reviewPromptVersion } from "#reviewers/model/review-prompt.ts";
import { createMemorySpending } from "#store/memory-spending.ts";

export interface RunSetOptions {
  readonly configuration: string;
  readonly cases: readonly SetCase[];
  readonly reviews: ReviewRules;
  readonly roles: ReviewRules["roles"];
  readonly reviewers: Reviewers;
  readonly attempts: number;
  readonly looksMax: number;
  readonly budgetMicroUsd: number | null;
  readonly kept: AnswerCache | null;
  readonly maker: string;
  readonly signal: AbortSignal;
  readonly tell: (words: string) => void;
  readonly now: () => number;
}

export async function runSet(options: RunSetOptions): Promise<EvalRun> {
  const { configuration, reviews, roles, attempts } = options;
  const tasks = tasksOf(options);
  const work: Work = {
    options,
    tasks,
    openAccount: openCommandAccounts(createMemorySpending().calls, options.budgetMicroUsd),
    dearestMicroUsd: null,
    looks: new Map(),
    next: 0,
    stopped: null,
    failuresInRow: 0,
    lostMicroUsd: 0,
  };
  // What a look costs is known after the first one, so under a budget looks do not run side by side until then.
  if (options.budgetMicroUsd !== null) {
    while (work.dearestMicroUsd === null && (await workOff(work)));
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
  readonly openAccount: () => BudgetAccount;
  dearestMicroUsd: number | null;
  readonly looks: Map<EvalTask, CasePass>;
  next: number;
  stopped: Stopped | null;
  failuresInRow: number;
  lostMicroUsd: number;
}

type Stopped =
  | { readonly why: Exclude<StoppedWhy, "budget"> }
  | { readonly why: "budget"; readonly shortage: Shortage };

/** After so many, the key is wrong or the provider is down, and the next ones would fail too. */
const failuresInRowMax = 5;

async function workOff(work: Work): Promise<boolean> {
  const { options, tasks, looks } = work;
  const task = tasks[work.next];
  if (task === undefined || work.stopped !== null || options.signal.aborted) return false;
  work.next += 1;
  const outcome = await runEvalTask(task, work);
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

type TaskOutcome =
  | { readonly kind: "answered"; readonly answer: CaseAnswer }
  | { readonly kind: "no_money"; readonly shortage: Shortage }
  | { readonly kind: "stopped"; readonly costMicroUsd: number };

async function runEvalTask(task: EvalTask, work: Work): Promise<TaskOutcome> {
  const { options } = work;
  const subject = answerSubjectOf(options, task);
  const known = options.kept?.find(subject);
  if (known !== undefined) return { kind: "answered", answer: known };
  const look = { ...task, role: task.role.name, reviews: options.reviews, signal: options.signal, now: options.now };
  const price = options.budgetMicroUsd === null ? 0 : await priceOf(task, look);
  const lookMicroUsd = price ?? work.dearestMicroUsd ?? 0;
  const account = work.openAccount();
  const choice = await account.reserve([{ costMicroUsd: lookMicroUsd, delivery: "now" }]);
  if (choice.kind === "refused") {
    const by = price === null ? "earlier_looks" : "prices";
    const leftMicroUsd = choice.why === "cap" ? choice.leftMicroUsd : 0;
    return { kind: "no_money", shortage: { lookMicroUsd, by, leftMicroUsd } };
  }
  const answer = await reviewCase(task.reviewer, look);
  const { costMicroUsd, ms } = answer.spent;
  const { reviewer: model } = task.role;
  account.onCall(wholeCall({ model, purpose: "review_find", costMicroUsd, isPriced: true, ms, outcome: "answered" }));
  await account.settle();
  work.dearestMicroUsd = Math.max(work.dearestMicroUsd ?? 0, costMicroUsd);
  // An answer that arrives after the abort does not count.
  if (options.signal.aborted) return { kind: "stopped", costMicroUsd };
  if (task.role.reviewer !== "rules") await options.kept?.keep(subject, answer);
  return { kind: "answered", answer };
}

async function priceOf({ reviewer, role }: EvalTask, look: ReviewCaseOptions): Promise<number | null> {
  const [offer] = (await reviewer.offers?.(caseJob(look))) ?? [];
  if (offer === undefined || offer.costMicroUsd !== null) return offer?.costMicroUsd ?? null;
  throw new StartError(
    `The price of the model for role ${role.name} is unknown, so --budget cannot be enforced. Set its price under \`prices\` in the configuration.`,
  );
}

interface EvalTask {
  readonly setCase: SetCase;
  readonly role: RunSetOptions["roles"][number];
  readonly reviewer: Reviewer;
  readonly attempt: number;
}

/** Every attempt covers all cases before the next begins: after an early stop, whole attempts are worth more. */
function tasksOf({ attempts, cases, roles, reviewers }: RunSetOptions): readonly EvalTask[] {
  return Array.from({ length: attempts }, (_, index) => index + 1).flatMap((attempt) =>
    cases.flatMap((setCase) =>
      roles.flatMap((role) => {
        const reviewer = reviewers[role.reviewer];
        return reviewer === null ? [] : [{ setCase, role, reviewer, attempt }];
      }),
    ),
  );
}

function answerSubjectOf({ reviews, maker }: RunSetOptions, { setCase, role, attempt }: EvalTask): AnswerSubject {
  const made = [maker, reviewPromptVersion, role.reviewer, briefOf(reviews, role.name), reviews.excludedPaths];
  return { digest: setCase.seenDigest, role: role.name, attempt, maker: JSON.stringify(made) };
}

function judgeAnswer(
  { setCase, role, attempt }: EvalTask,
  { outcome, spent }: CaseAnswer,
  reviews: ReviewRules,
): CasePass {
  const common = { role: role.name, attempt, spent };
  if (outcome.kind !== "answered") return { ...common, outcome: { kind: "failed", why: outcome.why } };
  const shown = shownFindings(outcome.findings, { reviews, head: HeadSha.parse(setCase.seenDigest) });
  const judged = judgeFindings(setCase.diff, setCase.case, shown);
  return { ...common, outcome: { kind: "judged", judged, unread: outcome.unread } };
}

/** The rules that decide in a pull decide here. */
function shownFindings(
  found: readonly RawFinding[],
  { reviews, head }: { readonly reviews: ReviewRules; readonly head: HeadSha },
): readonly RawFinding[] {
  const { post, summarised } = converge({
    known: [],
    found,
    head,
    round: 1,
    foundAt: instant(0),
    rules: reviews,
    changed: { kind: "everything" },
    gone: new Set(),
    coverage: new Map(),
    renames: new Map(),
    deterministicRoles: new Set(reviews.roles.filter(({ reviewer }) => reviewer === "rules").map(({ name }) => name)),
    rolesInForce: new Set(reviews.roles.map(({ name }) => name)),
  });
  return [...post, ...summarised];
}
