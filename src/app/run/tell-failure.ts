import { blockContextOf } from "#act/compose-body.ts";
import { ensureComment, findComment } from "#act/ensure-comment.ts";
import { ensureToldAnew, findTold } from "#act/ensure-escalated.ts";
import { createPullContext, type PullContext } from "#act/pull-context.ts";
import { markOf } from "#core/effects/effect-mark.ts";
import { findOwnEffects, oldestOf } from "#core/effects/own-effects.ts";
import { after } from "#core/model/instant.ts";
import type { Observation } from "#core/model/observation.ts";
import { type Failure, taskName, wholeRun } from "#core/plan/run-failures.ts";
import type { RunTask } from "#core/plan/run-tasks.ts";
import { failureId } from "#core/words/failure-id.ts";
import { failedTask, solvedTask } from "#core/words/run-words.ts";
import { createObserver } from "#observe/observe.ts";
import type { Dependencies } from "#ports/dependencies.ts";
import { ForgeError } from "#ports/forge.ts";
import type { PullRef } from "#ports/pull-ref.ts";

export interface Told {
  readonly failures: readonly Failure[];
  readonly tasks: readonly RunTask[];
  readonly last: Observation | undefined;
}

/** One comment per task, found by its mark and edited. Null: nothing to report. False: only the log has it. */
export async function tellFailures(dependencies: Dependencies, pull: PullRef, told: Told): Promise<boolean | null> {
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
