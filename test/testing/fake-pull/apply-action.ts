import type { Action, ActionOf } from "#core/decision/action.ts";
import { type CommentId, ReviewId, SessionId, Untrusted } from "#core/model/ids.ts";
import type { PublishedReview, Records, ReviewRun } from "#core/model/records.ts";
import { never } from "#core/never.ts";
import { isSameRun, type RunIdentity, recordRunStarted } from "#core/review/review-run.ts";
import { type FakePull, newComment, nextNumber, say } from "#testing/fake-pull/fake-pull.ts";

/**
 * The pull after an action was carried out on it. Everything here can be repeated: carrying out the same action twice
 * leaves the same pull, as it must on a real forge.
 */
export function applyAction(pull: FakePull, action: Action): FakePull {
  switch (action.kind) {
    case "record_head": {
      const others = pull.records.heads.filter(
        (head) => head.since !== action.head.since || head.sha !== action.head.sha,
      );
      return withRecords(pull, { heads: [...others, action.head] });
    }
    case "record_approval": {
      const isKnown = pull.records.approvals.some((known) => known.signal === action.approval.signal);
      return isKnown ? pull : withRecords(pull, { approvals: [...pull.records.approvals, action.approval] });
    }
    case "record_times":
      return withRecords(pull, action.times);
    case "acknowledge":
      return acknowledge(pull, action);
    case "hint":
      return hint(pull, action);
    case "start_review":
      return startReview(pull, action);
    case "cancel_review":
      return changeRuns(pull, action, (run) => ({
        ...run,
        state: { kind: "cancelled", by: action.why === "closed" ? "command" : action.why },
      }));
    case "dismiss_manual_review":
      return settleRequest(pull, action, "DISMISSED_BY_AUTO_REVIEW");
    case "complete_manual_review":
      return settleRequest(pull, action, "COMPLETED");
    case "withdraw_approval": {
      const isIt = ({ id }: FakePull["reviews"][number]): boolean => id === action.review;
      return { ...pull, reviews: pull.reviews.map((one) => (isIt(one) ? { ...one, state: "dismissed" } : one)) };
    }
    case "publish_review":
      return publish(pull, action);
    case "close_finding":
      return withRecords(pull, { closedThreads: [...new Set([...pull.records.closedThreads, action.thread])] });
    case "set_gate":
      return { ...pull, gate: { head: action.head, state: action.state, words: action.text } };
    case "update_managed_comment":
      return updateManagedComment(pull, action);
    default:
      return takeLaterEffect(pull, action);
  }
}

type LaterAction = ActionOf<
  | "classify"
  | "resolve_dispute"
  | "answer"
  | "start_session"
  | "message_session"
  | "stop_session"
  | "escalate"
  | "take_back"
  | "enqueue_merge"
  | "dequeue_merge"
  | "merge"
  | "emit"
  | "emit_feedback"
  | "look_again"
>;

/** Answers and sessions need a mind or a sandbox; on paper they just end. */
function takeLaterEffect(pull: FakePull, action: LaterAction): FakePull {
  const { records } = pull;
  switch (action.kind) {
    case "classify":
    case "look_again":
      return pull;
    case "resolve_dispute": {
      const settled = action.replies.map(({ comment, revision }) => ({
        reply: comment,
        revision,
        finding: action.finding,
        outcome: "maintained" as const,
      }));
      return withRecords(pull, { disputes: [...records.disputes, ...settled] });
    }
    case "answer":
      return answer(pull, action);
    case "start_session":
      return startSession(pull, action);
    case "message_session":
      return changeSession(pull, action.session, (session) => ({
        ...session,
        feedback: [...new Set([...session.feedback, ...action.feedback])],
      }));
    case "stop_session":
      return changeSession(pull, action.session, (session) => ({ ...session, state: { kind: "stopped" } }));
    case "escalate":
    case "take_back":
      return withRecords(pull, { escalations: [...new Set([...records.escalations, action.key])] });
    case "enqueue_merge":
      return withRecords(pull, { mergeQueued: { head: action.head, baseBranch: action.baseBranch } });
    case "dequeue_merge":
      return records.mergeQueued?.head === action.head ? withRecords(pull, { mergeQueued: null }) : pull;
    case "merge":
      // A forge refuses when the head has moved since.
      return action.head === pull.pull.head.sha ? { ...pull, pull: { ...pull.pull, state: "merged" } } : pull;
    case "emit":
      return withRecords(pull, { status: action.next });
    case "emit_feedback":
      return withRecords(pull, { feedback: action.next });
    default:
      return never(action);
  }
}

function withRecords(pull: FakePull, over: Partial<Records>): FakePull {
  return { ...pull, records: { ...pull.records, ...over } };
}

function acknowledge(pull: FakePull, action: ActionOf<"acknowledge">): FakePull {
  if (pull.records.commands.some((record) => record.comment === action.record.comment)) return pull;
  const noted = withRecords(pull, { commands: [...pull.records.commands, action.record] });
  return action.text === null ? noted : say(noted, noted.bot, action.text);
}

function hint(pull: FakePull, { key, text }: ActionOf<"hint">): FakePull {
  const { escalations } = pull.records;
  if (escalations.includes(key)) return pull;
  return say(withRecords(pull, { escalations: [...escalations, key] }), pull.bot, text);
}

function startReview(pull: FakePull, action: ActionOf<"start_review">): FakePull {
  const { head, baseBranch, role, trigger, round } = action;
  const state = { kind: "running" } as const;
  const run: ReviewRun = { head, baseBranch, role, trigger, round, state, startedAt: pull.observedAt };
  return withRecords(pull, recordRunStarted(pull.records, run, pull.rules));
}

/** Only what is under way: of what was cancelled and begun anew the earlier one is kept. */
export function changeRuns(pull: FakePull, name: RunIdentity, change: (run: ReviewRun) => ReviewRun): FakePull {
  const isIt = (run: ReviewRun): boolean => isSameRun(run, name) && run.state.kind === "running";
  return withRecords(pull, { runs: pull.records.runs.map((run) => (isIt(run) ? change(run) : run)) });
}

function settleRequest(
  pull: FakePull,
  action: ActionOf<"dismiss_manual_review" | "complete_manual_review">,
  status: "DISMISSED_BY_AUTO_REVIEW" | "COMPLETED",
): FakePull {
  const others = pull.records.manualReviews.filter((record) => record.comment !== action.comment);
  const { comment, head } = action;
  return withRecords(pull, { manualReviews: [...others, { comment, head, status }] });
}

const reviewStates = { approve: "approved", request_changes: "changes_requested", comment: "commented" } as const;

function publish(pull: FakePull, action: ActionOf<"publish_review">): FakePull {
  const { update, role, head, text } = action;
  if (update.kind === "nothing" || update.kind === "wait") return pull;
  const body = Untrusted.parse(text);
  const others = pull.records.published.filter((published) => published.role !== role);
  if (update.kind === "edit") {
    const known = pull.records.published.find((published) => published.role === role);
    if (known === undefined) return pull;
    const reviews = pull.reviews.map((review) => (review.id === update.review ? { ...review, body } : review));
    return withRecords({ ...pull, reviews }, { published: [...others, { ...known, head, digest: update.digest }] });
  }
  const lastNumber = nextNumber(pull);
  const id = ReviewId.parse(String(lastNumber));
  const state = reviewStates[update.event];
  const review = { id, author: pull.bot, state, body, submittedAt: pull.observedAt, commit: head };
  const published: PublishedReview = { role, review: id, head, verdict: update.event, digest: update.digest };
  return withRecords(
    { ...pull, lastNumber, reviews: [...pull.reviews, review] },
    { published: [...others, published] },
  );
}

function updateManagedComment(pull: FakePull, action: ActionOf<"update_managed_comment">): FakePull {
  const known = pull.managedComment?.comment;
  if (known === undefined) {
    const comment = newComment(pull, pull.bot, action.text);
    const managedComment = { comment: comment.id, digest: action.digest };
    return { ...say(pull, pull.bot, action.text), managedComment };
  }
  const body = Untrusted.parse(action.text);
  const comments = pull.comments.map((comment) => (comment.id === known ? { ...comment, body } : comment));
  return { ...pull, comments, managedComment: { comment: known, digest: action.digest } };
}

function answer(pull: FakePull, action: ActionOf<"answer">): FakePull {
  const { records } = pull;
  const words = "The answer.";
  const isNew = action.earlierAnswer === null;
  const id: CommentId = action.earlierAnswer ?? newComment(pull, pull.bot, words).id;
  const record = { comment: action.comment, revision: action.revision, status: "ANSWERED" as const, answer: id };
  const others = records.questions.filter((known) => known.comment !== action.comment);
  const answered = isNew ? say(pull, pull.bot, words) : pull;
  return withRecords(answered, { questions: [...others, record] });
}

function startSession(pull: FakePull, action: ActionOf<"start_session">): FakePull {
  const id = SessionId.parse(action.key);
  if (pull.records.sessions.some((session) => session.id === id)) return pull;
  const { head, purpose, feedback } = action;
  const session = { id, purpose, head, feedback, startedAt: pull.observedAt, state: { kind: "running" as const } };
  return withRecords(pull, { sessions: [...pull.records.sessions, session] });
}

type Session = Records["sessions"][number];

export function changeSession(pull: FakePull, id: SessionId, change: (session: Session) => Session): FakePull {
  return withRecords(pull, {
    sessions: pull.records.sessions.map((session) => (session.id === id ? change(session) : session)),
  });
}
