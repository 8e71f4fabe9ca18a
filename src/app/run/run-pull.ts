import { blockContextOf } from "#act/compose-body.ts";
import { ensureComment, findComment } from "#act/ensure-comment.ts";
import { ensureToldAnew, findTold } from "#act/ensure-escalated.ts";
import { createPullContext, type PullContext } from "#act/pull-context.ts";
import { claimPull, type HeldClaim, noClaim } from "#app/run/claim-pull.ts";
import { requireOwnNotes } from "#app/run/require-own-notes.ts";
import type { RunDependencies } from "#app/run/run-dependencies.ts";
import { runUntilDone } from "#app/run/run-loop.ts";
import { logTick } from "#app/serve/log-tick.ts";
import { backoffMs } from "#core/backoff.ts";
import { markOf } from "#core/effects/effect-mark.ts";
import { findOwnEffects, oldestOf } from "#core/effects/own-effects.ts";
import { after, type Instant, secondMs } from "#core/model/instant.ts";
import type { Observation } from "#core/model/observation.ts";
import {
  type Failure,
  type RunEnd,
  runFailures,
  taskName,
  untoldFailures,
  wholeRun,
  whyNot,
} from "#core/plan/run-failures.ts";
import { type RunReport, runReport } from "#core/plan/run-report.ts";
import { createTaskList, type RunTask } from "#core/plan/run-tasks.ts";
import { actionWords } from "#core/words/action-words.ts";
import { counted } from "#core/words/counted.ts";
import { failureId } from "#core/words/failure-id.ts";
import { failedTask, solvedTask } from "#core/words/run-words.ts";
import { shortSha } from "#core/words/short-sha.ts";
import { createObserver } from "#observe/observe.ts";
import type { Dependencies } from "#ports/dependencies.ts";
import { ForgeError } from "#ports/forge.ts";
import { type PullRef, pullKeyOf } from "#ports/pull-ref.ts";
import { tickEntry } from "#ports/tick-entry.ts";
import { createReconciler } from "#reconcile/reconciler.ts";
import type { TickReport } from "#reconcile/tick.ts";

export interface RunOptions extends RunDependencies {
  readonly repository: string;
  readonly number: number;
  readonly isReadOnly: boolean;
  readonly isAnew: boolean;
  readonly timeoutMs: number;
  readonly triesMax: number;
  readonly signal: AbortSignal;
  readonly tell: (line: string) => void;
  readonly lastError: () => string | null;
}

type Looked = Extract<TickReport, { readonly kind: "looked" }>;

export async function runPull(options: RunOptions): Promise<RunReport> {
  const { dependencies } = options;
  const deadline = after(dependencies.clock.now(), options.timeoutMs);
  const began = await begin(options);
  if (began.kind === "failed") return failedRun(options, began.why);
  const { pull } = began;
  // The job of a fork has no secret, believes no notes and writes nothing.
  if (!options.isReadOnly && !options.isAnew) await requireOwnNotes(dependencies, pull);
  const claim = options.isReadOnly ? noClaim : await claimPull({ ...options, pull, deadline });
  if (claim.kind === "failed") return failedRun(options, claim.why);
  return await claim.hold((held) => work(options, { pull, deadline, held }));
}

function failedRun(options: RunOptions, why: string): RunReport {
  const run = { ...options, pull: options.number, tasks: [], troubles: [why] };
  return runReport(run, { first: undefined, last: undefined });
}

async function work(
  options: RunOptions,
  { pull, deadline, held }: { readonly pull: PullRef; readonly deadline: Instant; readonly held: HeldClaim },
): Promise<RunReport> {
  const { dependencies, tell } = options;
  const tasks = createTaskList();
  const seen: { last: TickReport | undefined; first: Looked | undefined; looked: Looked | undefined } = {
    last: undefined,
    first: undefined,
    looked: undefined,
  };
  const onTick = (looked: PullRef, report: TickReport): void => {
    seen.last = report;
    logTick(dependencies.log, { key: pullKeyOf(dependencies.instance, looked), ...looked }, report);
    tell(lookWords(report, options.isReadOnly));
    if (report.kind !== "looked") return;
    seen.first ??= report;
    seen.looked = report;
    tasks.note(report.did);
  };
  const key = pullKeyOf(dependencies.instance, pull);
  // Not a poke: its reminder would come after the end of this run.
  await dependencies.queue.put(tickEntry(dependencies.instance, pull));
  const ended = await runUntilDone({
    ...options,
    signal: AbortSignal.any([options.signal, held.lost]),
    confirmClaim: held.confirm,
    reconciler: createReconciler(dependencies, { onTick }),
    pull: key,
    report: () => seen.last,
    deadline,
    onWait: (why, ms) => tell(`waiting ${Math.ceil(ms / 100) / 10} s: ${why}`),
  });
  const end: RunEnd = ended.kind === "stopped" && held.lost.aborted ? { kind: "taken_over" } : ended;
  const unread = seen.looked?.situation.conversation.unclassified.length ?? 0;
  if (unread > 0) tell(`${counted(unread, "remark is", "remarks are")} left to the next run`);
  const done =
    seen.looked === undefined ? [] : tasks.conclude(seen.looked.seen, seen.looked.situation.conversation.failed);
  const come = {
    retried: options.retried(),
    isReadOnly: options.isReadOnly,
    lastError: options.lastError(),
    end,
    report: seen.looked,
    tasks: done,
  };
  const troubles = runFailures(come);
  if (!options.isReadOnly && end.kind !== "stopped" && end.kind !== "taken_over") {
    const told = { failures: untoldFailures(come), tasks: done, last: seen.looked?.seen };
    const isTold = await tellFailures(dependencies, pull, told);
    if (isTold !== null)
      tell(isTold ? "the failure is reported on the pull" : "the failure could not be reported on the pull");
  }
  const run = { ...options, pull: options.number, tasks: done, troubles };
  return runReport(run, { first: seen.first?.seen, last: seen.looked });
}

type Begun = { readonly kind: "begun"; readonly pull: PullRef } | { readonly kind: "failed"; readonly why: string };

async function begin({ dependencies, repository, number, triesMax, tell }: RunOptions): Promise<Begun> {
  for (let tries = 1; ; tries++) {
    try {
      return { kind: "begun", pull: { repository: await dependencies.forge.fetchRepository(repository), number } };
    } catch (error) {
      if (!(error instanceof ForgeError)) throw error;
      const isPassing = error.kind === "unavailable" && tries < triesMax;
      if (!isPassing) return { kind: "failed", why: `${repository} cannot be read: ${error.message}` };
      const ms = backoffMs({ attempt: tries, firstMs: dependencies.durations.retryMs });
      tell(`${error.message}; trying again in ${ms / secondMs} s`);
      await dependencies.clock.sleep(ms);
    }
  }
}

function lookWords(report: TickReport, isReadOnly: boolean): string {
  if (report.kind === "stale") return `looked: ${report.why}`;
  if (report.kind === "settled") return "looked: earlier effects are settled";
  const did = report.did.flatMap(({ action, outcome }) => {
    if (action.kind === "look_again") return [];
    if (outcome.kind === "done") return [`  ${actionWords(action)}`];
    const why = isReadOnly ? "only read" : `${outcome.kind}: ${whyNot(outcome)}`;
    return [`  not done: ${actionWords(action)} (${why})`];
  });
  const head = shortSha(report.seen.pull.head.sha);
  return [`looked at ${head}: the gate is ${report.situation.gate.state}`, ...did].join("\n");
}

interface Told {
  readonly failures: readonly Failure[];
  readonly tasks: readonly RunTask[];
  readonly last: Observation | undefined;
}

/** One comment per task, found by its mark and edited. Null: nothing to report. False: only the log has it. */
async function tellFailures(dependencies: Dependencies, pull: PullRef, told: Told): Promise<boolean | null> {
  const { failures } = told;
  const solved = solvedTasks(dependencies, pull, told);
  if (failures.length === 0 && solved.length === 0) return null;
  try {
    const look = await createObserver(dependencies).observe(pull);
    if (look.kind === "stale") return false;
    const leaseUntil = after(dependencies.clock.now(), dependencies.durations.leaseMs);
    const context = createPullContext(dependencies, look.observed, {
      leaseUntil: () => leaseUntil,
      scheduleCheck: () => undefined,
    });
    const said: boolean[] = [];
    for (const failure of failures) said.push(await tellFailure(context, failure));
    for (const task of solved) said.push(await tellSolved(context, task));
    return said.every((isSaid) => isSaid);
  } catch (error) {
    if (!(error instanceof ForgeError)) throw error;
    return false;
  }
}

function keyOf(task: string): string {
  return `failure/${task}`;
}

function solvedTasks(
  { instance, secret }: Dependencies,
  { repository, number }: PullRef,
  told: Told,
): readonly string[] {
  const { failures, tasks, last } = told;
  if (last === undefined) return [];
  const effects = findOwnEffects(last);
  const context = { instance, repository: repository.id, pull: number };
  const done = tasks.filter(({ result }) => result === "done").map(taskName);
  return [wholeRun, ...done].filter((task) => {
    if (failures.some((failure) => failure.task === task)) return false;
    const comment = oldestOf(effects, markOf(keyOf(task), context, secret));
    const body = last.comments.find(({ id }) => id === comment?.id)?.body;
    return body !== undefined && !body.includes(solvedTask(last, { task, id: failureId(context, task) }));
  });
}

async function tellFailure(context: PullContext, { task, troubles }: Failure): Promise<boolean> {
  const key = keyOf(task);
  const id = failureId(blockContextOf(context), task);
  context.dependencies.log.warn({ pull: context.key, task, id, why: troubles.join("; ") }, "a task failed");
  const words = failedTask(context.seen, { task, troubles, id });
  const comment = findTold(context, key);
  if (comment !== undefined) return await editTold(context, { key, comment, words });
  // No person is mentioned: people who watch the run see that it failed.
  const why = { askedBy: "the run", rule: "a task that failed is told", inputs: [task] };
  const head = context.seen.pull.head.sha;
  const note = { kind: "none" } as const;
  const made = { key, kind: "escalation", head, why, note, thread: null, words, blocks: [] } as const;
  return (await ensureComment(context, made)).kind === "done";
}

async function tellSolved(context: PullContext, task: string): Promise<boolean> {
  const key = keyOf(task);
  const words = solvedTask(context.seen, { task, id: failureId(blockContextOf(context), task) });
  const comment = findTold(context, key);
  return comment === undefined || (await editTold(context, { key, comment, words }));
}

async function editTold(
  context: PullContext,
  told: Omit<Parameters<typeof ensureToldAnew>[1], "note">,
): Promise<boolean> {
  if (findComment(context, told.comment)?.body.includes(told.words) === true) return true;
  return (await ensureToldAnew(context, { ...told, note: { kind: "none" } })).kind === "done";
}
