import type { Action } from "#core/decision/action.ts";
import type { Situation } from "#core/decision/situation.ts";
import type { RunTask, TriedAction } from "#core/plan/run-tasks.ts";
import { actionWords } from "#core/words/action-words.ts";
import { counted } from "#core/words/counted.ts";

export interface RetriedWork {
  readonly queue: keyof typeof queueWords;
  readonly attempt: number;
}

export type RunEnd =
  | { readonly kind: "rest" }
  | { readonly kind: "out_of_time"; readonly why: string }
  | { readonly kind: "stopped" }
  /** It stood still for so long that another run began to work on the pull. */
  | { readonly kind: "taken_over" };

export interface RunConclusion {
  readonly retried: readonly RetriedWork[];
  readonly isReadOnly: boolean;
  /** What the forge or git said last, where they did not do something. */
  readonly lastError: string | null;
  readonly end: RunEnd;
  readonly report: { readonly situation: Situation; readonly did: readonly TriedAction[] } | undefined;
  readonly tasks: readonly RunTask[];
}

/** One line each; without any the run has not failed. */
export function runFailures(come: RunConclusion): readonly string[] {
  return [...failedTasks(come).map(taskLine), ...otherTroubles(come)];
}

export interface Failure {
  readonly task: string;
  readonly troubles: readonly string[];
}

/** What no other comment on the pull tells of: one failure for each task, and one for the rest. */
export function untoldFailures(come: RunConclusion): readonly Failure[] {
  const tasks = failedTasks(come).filter((task) => !isToldInPlace(come, task));
  const others = otherTroubles(come);
  return [
    ...tasks.map((task) => ({ task: taskName(task), troubles: [taskLine(task)] })),
    ...(others.length === 0 ? [] : [{ task: wholeRun, troubles: others }]),
  ];
}

export const wholeRun = "run";

export function taskName({ kind, subject }: Pick<RunTask, "kind" | "subject">): string {
  return `${kind}/${subject}`;
}

function taskLine({ kind, subject, why }: RunTask): string {
  return `${kind} (${subject}): ${why ?? ""}`;
}

/** Work that was tried until the run gave up is told by its queue, with the reason. */
function failedTasks(come: RunConclusion): readonly RunTask[] {
  const given = new Set(exhaustedOf(come).map(({ queue }) => queue));
  if (come.report === undefined) return [];
  return come.tasks.filter(({ kind, why }) => why !== null && !given.has(queuesOfTasks[kind]));
}

/** A run that may not write cannot answer either, and says so anyway. */
function exhaustedOf({ retried, isReadOnly }: RunConclusion): readonly RetriedWork[] {
  return retried.filter(({ queue }) => !isReadOnly || queue === "tick" || queue === "review");
}

function otherTroubles(come: RunConclusion): readonly string[] {
  const { end, report, isReadOnly } = come;
  const reason = come.lastError ?? "no reason was given";
  const over = end.kind === "out_of_time" ? [`the run ended early: ${end.why}`] : [];
  const stopped = end.kind === "stopped" ? ["the run was stopped; the next one continues its work"] : [];
  const takenOver =
    end.kind === "taken_over"
      ? ["the run stood still or had to wait for a minute or more, and another run took its work over"]
      : [];
  if (report === undefined) return [...over, ...takenOver, ...stopped, `the pull could not be read: ${reason}`];
  return [
    ...exhaustedOf(come).map(
      ({ queue, attempt }) => `${queueWords[queue]} failed (tried ${counted(attempt, "time", "times")}): ${reason}`,
    ),
    ...(isReadOnly ? [] : report.did.flatMap((deed) => unwrittenWords(deed, reason))),
    ...over,
    ...takenOver,
    ...stopped,
  ];
}

/** An unanswered question is told where its answer will be; given-up reviews and fixes have their own comments. */
function isToldInPlace({ report }: RunConclusion, { kind, subject }: RunTask): boolean {
  if (report === undefined) return false;
  const { conversation, review, fixing } = report.situation;
  const answers = conversation.failed.flatMap(({ remark, thread }) => [
    `comment ${remark.id}`,
    `thread ${thread?.id ?? ""}`,
  ]);
  if (kind === "question" || kind === "dispute") return answers.includes(subject);
  if (kind === "fix") return fixing.kind === "exhausted";
  return kind === "review" && review.roles.some((role) => role.kind === "given_up" && role.role === subject);
}

const queuesOfTasks = {
  dispute: "talk",
  question: "talk",
  review: "review",
  fix: "session",
  merge: "landing",
} as const satisfies Record<RunTask["kind"], RetriedWork["queue"]>;

const queueWords = {
  tick: "looking at the pull",
  talk: "answering",
  review: "a review",
  session: "a session",
  landing: "landing the merge",
  poll: "polling",
} as const;

function unwrittenWords({ action, outcome }: TriedAction, reason: string): readonly string[] {
  if (outcome.kind === "done" || action.kind === "look_again" || isMerging(action)) return [];
  const why = whyNot(outcome);
  const advice =
    why === "forbidden"
      ? " (give the token the permission for it; docs/action.md and docs/operating/gitea.md list them)"
      : "";
  return [`could not ${actionWords(action)}: ${why}: ${reason}${advice}`];
}

export function whyNot(outcome: Exclude<TriedAction["outcome"], { readonly kind: "done" }>): string {
  return outcome.kind === "refused" ? outcome.error : outcome.why;
}

/** A forge that will not merge yet is no failure of the run: the flight plan says what is missing. */
function isMerging({ kind }: Action): boolean {
  return kind === "merge" || kind === "enqueue_merge" || kind === "dequeue_merge";
}
