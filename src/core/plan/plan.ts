import type { Action } from "#core/decision/action.ts";
import type { Situation } from "#core/decision/situation.ts";
import type { Observation } from "#core/model/observation.ts";
import { actionKey } from "#core/plan/action-key.ts";
import { planNextCheck } from "#core/plan/next-check.ts";
import { planCommands, planHints } from "#core/plan/plan-commands.ts";
import { planClosedTalk, planConversation } from "#core/plan/plan-conversation.ts";
import { planEscalation } from "#core/plan/plan-escalation.ts";
import { planPublishing } from "#core/plan/plan-publishing.ts";
import { planReviews } from "#core/plan/plan-reviews.ts";
import { planSessions } from "#core/plan/plan-sessions.ts";
import { planStatus, updateManagedComment } from "#core/plan/plan-status.ts";
import { mergeReturnedWords } from "#core/words/condition-words.ts";

/** In order: records, disputes, questions, reviews, status texts, merging last. The same effect has the same key. */
export function plan(seen: Observation, situation: Situation): readonly Action[] {
  if (seen.pull.state !== "open") return planClosed(seen, situation);
  return [
    ...planRecords(situation),
    ...planTimes(situation),
    ...planCommands(seen, situation),
    ...planHints(seen, situation),
    ...planConversation(seen, situation),
    ...planReviews(seen, situation),
    ...planSessions(seen, situation),
    ...planPublishing(seen, situation),
    ...planStatus(seen, situation),
    ...planMerge(situation, seen),
    ...planNextCheck(seen, situation),
  ];
}

function planClosed(seen: Observation, situation: Situation): readonly Action[] {
  const answers = planCommands(seen, situation);
  const closed = planClosedTalk(seen, situation);
  const cancels = planReviews(seen, situation).filter((action) => action.kind === "cancel_review");
  const stops = planSessions(seen, situation).filter((action) => action.kind === "stop_session");
  const dequeues = seen.pull.state === "closed" ? planMerge(situation, seen) : [];
  const words = seen.managedComment === null ? [] : updateManagedComment(seen, situation);
  return [
    ...answers,
    ...closed,
    ...cancels,
    ...stops,
    ...words,
    ...dequeues.filter((action) => action.kind === "dequeue_merge"),
  ];
}

function planTimes({ timesToRecord: times }: Situation): readonly Action[] {
  return times === null ? [] : [{ kind: "record_times", key: actionKey("record_times", JSON.stringify(times)), times }];
}

function planRecords(situation: Situation): readonly Action[] {
  const { toRecord } = situation.heads;
  const heads: readonly Action[] =
    toRecord === null
      ? []
      : [
          {
            kind: "record_head",
            key: actionKey("record_head", toRecord.sha, toRecord.baseBranch, toRecord.since, toRecord.patch ?? ""),
            head: toRecord,
          },
        ];
  const approvals = situation.approval.toRecord.map(
    (approval): Action => ({
      kind: "record_approval",
      key: actionKey("record_approval", approval.signal, approval.head, approval.baseBranch),
      approval,
    }),
  );
  return [...heads, ...approvals];
}

/** The forge refuses if the head has moved. A hold or a withdrawn approval takes the pull out of a queue again. */
function planMerge(situation: Situation, seen: Observation): readonly Action[] {
  const { merge, heads } = situation;
  const queued = seen.records.mergeQueued;
  const dequeue: readonly Action[] =
    queued === null || merge.kind === "queued"
      ? []
      : [{ kind: "dequeue_merge", key: actionKey("dequeue_merge", queued.head, queued.baseBranch), ...queued }];
  if (merge.kind !== "ready") return [...dequeue, ...planGivenBack(situation, seen)];
  const { head, wish } = merge;
  const { baseBranch } = heads.current;
  return seen.rules.merge.how === "queue"
    ? [...dequeue, { kind: "enqueue_merge", key: actionKey("enqueue_merge", head, baseBranch), head, baseBranch }]
    : [...dequeue, { kind: "merge", key: actionKey("merge", head, baseBranch), head, baseBranch, wish }];
}

function planGivenBack({ flightPlan }: Situation, seen: Observation): readonly Action[] {
  const wanted = flightPlan.conditions.find((condition) => condition.kind === "merge_wanted");
  if (wanted?.givenBack === undefined || wanted.givenBack === null) return [];
  const { head, baseBranch, wish } = wanted.givenBack;
  const key = actionKey("escalate", "handed_back", head, baseBranch, wish ?? "");
  return planEscalation(seen, { key, severity: "warning", text: mergeReturnedWords(head) });
}
