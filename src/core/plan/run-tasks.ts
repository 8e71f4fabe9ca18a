import type { Action, ActionOf } from "#core/model/action.ts";
import type { CommentId } from "#core/model/ids.ts";
import type { Observation } from "#core/model/observation.ts";
import type { Records, ReviewRun } from "#core/model/records.ts";
import type { FailedAnswer } from "#core/model/situation.ts";
import type { TaskDone } from "#core/plan/run-result.ts";

export interface TriedAction {
  readonly action: Action;
  readonly outcome:
    | { readonly kind: "done"; readonly wasThere?: true }
    | { readonly kind: "later"; readonly why: string }
    | { readonly kind: "refused"; readonly error: string };
}

export interface RunTask extends TaskDone {
  readonly subject: string;
  readonly why: string | null;
}

type TaskAction = ActionOf<
  "start_review" | "publish_review" | "answer" | "resolve_dispute" | "start_session" | "merge" | "enqueue_merge"
>;

export interface TaskList {
  note(did: readonly TriedAction[]): void;
  /** Disputes, questions, reviews, fixes, merges, in this order. Cancelled work is left out. */
  conclude(seen: Observation, failed?: readonly FailedAnswer[]): readonly RunTask[];
}

export function createTaskList(): TaskList {
  const begun = new Map<string, TaskAction>();
  return {
    note: (did) => {
      for (const { action, outcome } of did) {
        if (!isTask(action) || outcome.kind !== "done") continue;
        const subject = subjectOf(action);
        // A posted review is the one that was begun, unless an earlier run had begun it.
        if (action.kind !== "publish_review" || !begun.has(subject)) begun.set(subject, action);
      }
    },
    conclude: (seen, failed = []) => {
      const known = [...begun.values()];
      const unread = failed.filter(({ remark }) => !known.some((one) => isAbout(one, remark.id)));
      return [
        ...known.flatMap((action) => conclude(action, seen)),
        ...unread.map(({ remark, why }) => task({ kind: "question", subject: `comment ${remark.id}` }, why)),
      ].toSorted((left, right) => order.indexOf(left.kind) - order.indexOf(right.kind));
    },
  };
}

/** What could not even be read was never begun, and failed all the same. */
function isAbout(action: TaskAction, comment: CommentId): boolean {
  if (action.kind === "answer") return action.comment === comment;
  return action.kind === "resolve_dispute" && action.replies.some((reply) => reply.comment === comment);
}

const order: readonly TaskDone["kind"][] = ["dispute", "question", "review", "fix", "merge"];

function isTask(action: Action): action is TaskAction {
  const kinds: readonly Action["kind"][] = [
    "start_review",
    "answer",
    "resolve_dispute",
    "start_session",
    "merge",
    "enqueue_merge",
  ];
  if (action.kind !== "publish_review") return kinds.includes(action.kind);
  // Later ones may only say what came of a dispute.
  return action.update.kind === "post" && action.update.why === "first";
}

/** A review that is begun anew, and a question whose wording changed, are one task each. */
function subjectOf(action: TaskAction): string {
  switch (action.kind) {
    case "start_review":
    case "publish_review":
      return `review ${action.head} ${action.role}`;
    case "answer":
      return `answer ${action.comment}`;
    case "resolve_dispute":
      return `dispute ${action.thread}`;
    case "start_session":
      return action.key;
    default:
      return `merge ${action.head}`;
  }
}

function conclude(action: TaskAction, seen: Observation): readonly RunTask[] {
  const { records } = seen;
  switch (action.kind) {
    case "start_review":
    case "publish_review":
      return concludeReview(action, records);
    case "answer": {
      const known = records.questions.find(({ comment }) => comment === action.comment);
      const why = known?.failure?.why ?? "it was not answered";
      return [
        task({ kind: "question", subject: `comment ${action.comment}` }, known?.status === "ANSWERED" ? null : why),
      ];
    }
    case "resolve_dispute": {
      const replied = new Set(records.disputes.map(({ reply }) => reply));
      const open = action.replies.find(({ comment }) => !replied.has(comment));
      const failed = records.questions.find(({ comment }) => comment === open?.comment)?.failure;
      const why = open === undefined ? null : (failed?.why ?? "it was not resolved");
      return [task({ kind: "dispute", subject: `thread ${action.thread}` }, why)];
    }
    case "start_session":
      return concludeSession(action, records);
    default:
      // What is not merged yet is no failure: the forge decides when.
      return seen.pull.state === "merged" ? [task({ kind: "merge", subject: action.head }, null)] : [];
  }
}

function concludeReview(
  { head, role }: ActionOf<"start_review" | "publish_review">,
  records: Records,
): readonly RunTask[] {
  const run = records.runs
    .filter((one) => one.head === head && one.role === role)
    .toSorted((left, right) => left.startedAt - right.startedAt)
    .at(-1);
  if (run?.state.kind === "cancelled") return [];
  const made = task({ kind: "review", subject: role }, reviewTrouble(run));
  return [{ ...made, trigger: run?.trigger.kind ?? "automatic" }];
}

function reviewTrouble(run: ReviewRun | undefined): string | null {
  if (run?.state.kind === "completed") return null;
  return run?.state.kind === "failed" ? run.state.why : "it did not end";
}

function concludeSession({ head, purpose }: ActionOf<"start_session">, records: Records): readonly RunTask[] {
  const state = records.sessions.findLast((one) => one.head === head && one.purpose === purpose)?.state;
  // The push that moved the head starts another run.
  const isMoved = state?.kind === "unfinished" && state.cause === "head_moved";
  if (state?.kind === "stopped" || isMoved) return [];
  if (state?.kind === "pushed") return [task({ kind: "fix", subject: purpose }, null)];
  const why = state === undefined || state.kind === "running" ? "it did not end" : state.why;
  return [task({ kind: "fix", subject: purpose }, why)];
}

function task({ kind, subject }: Pick<RunTask, "kind" | "subject">, why: string | null): RunTask {
  return { kind, subject, trigger: "automatic", result: why === null ? "done" : "failed", why };
}
