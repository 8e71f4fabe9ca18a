import type { RunParts } from "#app/run/run-parts.ts";
import type { RunTask } from "#app/run/run-tasks.ts";
import type { WorkEnd } from "#app/run/work-off.ts";
import type { Action } from "#core/model/action.ts";
import { actionWords } from "#core/words/action-words.ts";
import { counted } from "#core/words/counted.ts";
import type { QueueName } from "#ports/queue.ts";
import type { Deed, TickReport } from "#reconcile/tick.ts";

type Looked = Extract<TickReport, { readonly kind: "looked" }>;

/** How a run came to its end. */
export interface Come {
  readonly retried: RunParts["retried"];
  readonly isReadOnly: boolean;
  /** What the forge or git said last, where they did not do something. */
  readonly lastError: string | null;
  readonly end: WorkEnd;
  readonly report: Looked | undefined;
  readonly tasks: readonly RunTask[];
}

/** What a run could not do, each in a line; without any it has not failed. */
export function troublesOf(come: Come): readonly string[] {
  const { end, report, tasks, isReadOnly } = come;
  const reason = come.lastError ?? "nobody said why";
  const over = end.kind === "out_of_time" ? [`the run ended early: ${end.why}`] : [];
  const stopped = end.kind === "stopped" ? ["the run was stopped; the next one goes on with it"] : [];
  if (report === undefined) return [...over, ...stopped, `the pull could not be looked at: ${reason}`];
  // A run that may not write cannot answer either, and says so anyway.
  const exhausted = come.retried().filter(({ queue }) => !isReadOnly || queue === "tick" || queue === "review");
  const given = new Set(exhausted.map(({ queue }) => queue));
  const failed = tasks.flatMap(({ kind, subject, why }) => {
    // What was tried until the run gave up is told with the reason below.
    return why === null || given.has(queuesOfTasks[kind]) ? [] : [`${kind} (${subject}): ${why}`];
  });
  return [
    ...failed,
    ...exhausted.map(
      ({ queue, attempt }) => `${queueWords[queue]} failed (tried ${counted(attempt, "time", "times")}): ${reason}`,
    ),
    ...(isReadOnly ? [] : report.did.flatMap((deed) => unwrittenWords(deed, reason))),
    ...over,
    ...stopped,
  ];
}

const queuesOfTasks = {
  dispute: "talk",
  question: "talk",
  review: "review",
  fix: "session",
  merge: "landing",
} as const satisfies Record<RunTask["kind"], QueueName>;

const queueWords = {
  tick: "looking at the pull",
  talk: "answering",
  review: "a review",
  session: "a session",
  landing: "landing the merge",
  poll: "polling",
} as const;

function unwrittenWords({ action, outcome }: Deed, reason: string): readonly string[] {
  if (outcome.kind === "done" || action.kind === "look_again" || isMerging(action)) return [];
  const why = whyNot(outcome);
  const advice =
    why === "forbidden"
      ? " (give the token the permission for it; docs/action.md and docs/operating/gitea.md list them)"
      : "";
  return [`could not ${actionWords(action)}: ${why}: ${reason}${advice}`];
}

/** In a word or two. */
export function whyNot(outcome: Exclude<Deed["outcome"], { readonly kind: "done" }>): string {
  return outcome.kind === "refused" ? outcome.error : outcome.why;
}

/** A forge that will not merge yet is no failure of the run: the flight plan says what is missing. */
function isMerging({ kind }: Action): boolean {
  return kind === "merge" || kind === "enqueue_merge" || kind === "dequeue_merge";
}

/** A review that was given up has its own comment. */
export function isToldAlready({ report, tasks }: Pick<Come, "report" | "tasks">, troubles: readonly string[]): boolean {
  const isGivenUp = report?.situation.review.roles.some(({ kind }) => kind === "given_up") ?? false;
  const failed = tasks.filter(({ result }) => result === "failed");
  return isGivenUp && failed.every(({ kind }) => kind === "review") && troubles.length === failed.length;
}
