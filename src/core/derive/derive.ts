import { deriveApproval } from "#core/approval/approval.ts";
import { readBotMessage } from "#core/commands/read-bot-message.ts";
import { loopingRemarks } from "#core/derive/bot-loops.ts";
import { toCanonicalOrder } from "#core/derive/canonical-order.ts";
import { deriveCommands, withNothingToFix } from "#core/derive/commands.ts";
import { deriveConversation } from "#core/derive/conversation.ts";
import { deriveFeedback, feedbackChange } from "#core/derive/feedback.ts";
import { deriveFindings } from "#core/derive/findings.ts";
import { deriveFixing, hasSomethingToFix } from "#core/derive/fixing.ts";
import { deriveFlightPlan, deriveMerge } from "#core/derive/flight-plan.ts";
import { deriveGate } from "#core/derive/gate.ts";
import { deriveHeads } from "#core/derive/heads.ts";
import { deriveHints } from "#core/derive/hints.ts";
import { deriveHold } from "#core/derive/hold.ts";
import { deriveManualRequests } from "#core/derive/manual-requests.ts";
import { deriveTimes } from "#core/derive/noted-times.ts";
import { outsiderReviewQuota } from "#core/derive/outsider-review-quota.ts";
import { peopleOf } from "#core/derive/people.ts";
import { remarksOf } from "#core/derive/remarks.ts";
import { deriveReview } from "#core/derive/review-need.ts";
import { deriveSuppression } from "#core/derive/suppression.ts";
import { deriveWholeView } from "#core/derive/whole-view.ts";
import type { Observation } from "#core/model/observation.ts";
import type { Situation } from "#core/model/situation.ts";

export function derive(observation: Observation): Situation {
  const seen = toCanonicalOrder(observation);
  const people = peopleOf(seen);
  const heads = deriveHeads(seen);
  const spoken = remarksOf(seen)
    .filter((remark) => !people.isBot(remark.comment.author.id))
    .map((remark) => ({ remark, address: readBotMessage(remark.comment.body, seen.rules.handle) }));
  const looping = loopingRemarks(seen, { spoken, people, heads });
  const heard = spoken.filter((one) => !looping.includes(one));
  const budget = outsiderReviewQuota(seen, people);
  const said = deriveCommands(seen, { spoken: heard, people, heads, budget });
  const feedback = deriveFeedback(seen, { spoken, people, heads });
  const commands = hasSomethingToFix(seen, { feedback, people, heads }) ? said : withNothingToFix(said);
  const hints = deriveHints(seen, { spoken: heard, people });
  const times = deriveTimes(seen, commands);
  const suppression = deriveSuppression(seen, { commands, people, marker: times.marker });
  const conversation = deriveConversation(seen, { spoken: heard, people, isLooping: looping.length > 0 });
  const requests = deriveManualRequests(seen, { commands, conversation, people, heads, budget });
  const review = deriveReview(seen, { heads, suppression, commands, requests, budget });
  const findings = deriveFindings(seen, review.roles);
  const approval = deriveApproval({
    ...seen,
    heads: heads.history,
    records: seen.records.approvals,
    readySince: times.readySince,
    feedback,
  });
  const hold = deriveHold(commands);
  const fixing = deriveFixing(seen, { commands, feedback, heads, people, approval, hold });
  const wholeView = deriveWholeView(seen, people);
  const gate = deriveGate(seen, { heads, review, findings, suppression, wholeView });
  const flightPlan = deriveFlightPlan(seen, { wholeView, heads, review, gate, approval, hold, commands });
  const merge = deriveMerge(seen, flightPlan, { heads, commands });
  return {
    heads,
    timesToRecord: times.toRecord,
    suppression,
    commands,
    hints,
    conversation,
    review,
    findings,
    feedback,
    feedbackChange: feedbackChange(seen, feedback, people),
    fixing,
    approval,
    hold,
    gate,
    merge,
    flightPlan,
  };
}
