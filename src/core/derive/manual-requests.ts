import { isObeyed, lastObeyed } from "#core/derive/commands.ts";
import type { OutsiderReviewQuota } from "#core/derive/outsider-review-quota.ts";
import type { People } from "#core/derive/people.ts";
import { writtenAt } from "#core/model/conversation.ts";
import type { CommentId } from "#core/model/ids.ts";
import type { Observation } from "#core/model/observation.ts";
import type { Conversation, Heads, ManualRequest, SaidCommand } from "#core/model/situation.ts";

export interface ManualRequests {
  readonly pending: readonly ManualRequest[];
  /** The quota is used up, or a review was restarted for one head too many. */
  readonly overBudget: readonly ManualRequest[];
}

/** `cancel` and `disable-reviews` take back earlier requests. */
export function deriveManualRequests(
  seen: Observation,
  context: {
    readonly commands: readonly SaidCommand[];
    readonly conversation: Conversation;
    readonly people: People;
    readonly heads: Heads;
    readonly budget: OutsiderReviewQuota;
  },
): ManualRequests {
  const { commands, people, budget, heads } = context;
  const barrier = lastObeyed(commands, ["cancel", "disable-reviews"]);
  const standing = barrier === undefined ? commands : afterIt(commands, barrier);
  const byCommand = standing
    .filter((said) => said.command.word === "review" && isObeyed(said))
    .map((said) => ({ comment: said.comment, by: said.by.id, at: said.at }));
  const commanded = new Set(byCommand.map(({ comment }) => comment));
  const finished = finishedRequests(seen);
  const inWords = context.conversation.reviewRequests
    .map((one) => ({ comment: one.remark.id, by: one.remark.author.id, at: writtenAt(one.remark) }))
    .filter(({ by, at }) => mayAsk(people, by) && (barrier === undefined || at >= barrier.at))
    .filter(({ comment }) => !commanded.has(comment) && !finished.has(comment));
  // If the author pushes during their review, it is restarted for each head.
  const isPaid = ({ comment, by }: ManualRequest): boolean =>
    (people.isWriter(by) || budget.take(comment)) && budget.mayRun(comment, heads.current);
  const open = [...byCommand.filter(({ comment }) => !finished.has(comment)), ...inWords];
  const judged = open
    .sort((left, right) => left.at - right.at)
    .map((request) => ({ request, isWithin: isPaid(request) }));
  return {
    pending: judged.filter(({ isWithin }) => isWithin).map(({ request }) => request),
    overBudget: judged.filter(({ isWithin }) => !isWithin).map(({ request }) => request),
  };
}

function mayAsk(people: People, by: ManualRequest["by"]): boolean {
  return people.isAuthor(by) || people.isWriter(by);
}

/** By place, not by time: two comments of one second still have an order. */
function afterIt(commands: readonly SaidCommand[], barrier: SaidCommand): readonly SaidCommand[] {
  return commands.slice(commands.indexOf(barrier) + 1);
}

function finishedRequests(seen: Observation): ReadonlySet<CommentId> {
  const finished = seen.records.manualReviews.filter(
    ({ status }) => status === "COMPLETED" || status === "DISMISSED_BY_AUTO_REVIEW",
  );
  return new Set(finished.map(({ comment }) => comment));
}
