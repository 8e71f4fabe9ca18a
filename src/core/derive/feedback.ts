import type { BotMessage } from "#core/commands/command.ts";
import { isFriendly } from "#core/derive/friendly.ts";
import { meaningOf } from "#core/derive/meaning.ts";
import type { People } from "#core/derive/people.ts";
import { type Remark, reviewAsComment, type Spoken } from "#core/derive/remarks.ts";
import { isPasserBy } from "#core/model/account.ts";
import { type Comment, type Review, writtenAt } from "#core/model/conversation.ts";
import { digestOf } from "#core/model/digest.ts";
import type { AccountId } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import type { Observation } from "#core/model/observation.ts";
import type { SessionRecord } from "#core/model/records.ts";
import type { Feedback, FeedbackChange, Heads } from "#core/model/situation.ts";

/** A newer head alone addresses nothing: remarks written while it was being made would be lost. */
export function deriveFeedback(
  seen: Observation,
  context: {
    readonly spoken: readonly Spoken[];
    readonly people: People;
    readonly heads: Heads;
  },
): readonly Feedback[] {
  const isHandled = handledBy(seen);
  const approvedAt = lastApprovals(seen);
  const isOpen = (one: Feedback): boolean => one.at >= (approvedAt.get(one.author) ?? 0) && !isHandled(one);
  // Who approves the head and writes more asks for no change of it, unless it is about a line.
  const hasApproved = (account: AccountId): boolean => {
    const at = approvedAt.get(account);
    return at !== undefined && at >= context.heads.current.since;
  };
  const said = context.spoken
    .filter(({ remark, address }) => isFeedback(seen, context.people, remark, address))
    .filter(({ remark: { comment, thread } }) => thread !== null || !hasApproved(comment.author.id))
    .map(({ remark }) => asFeedback(remark.comment, remark.thread === null ? "comment" : "thread"));
  const requested = seen.reviews
    .filter((review) => isRequest(seen, context.people, review))
    .map((review) => asFeedback(reviewAsComment(review), "review"));
  return [...said, ...requested].filter(isOpen).sort((left, right) => left.at - right.at);
}

/** The record of them has to fit. */
const toldMax = 100;

/** Each remark that asks for a change is reported as received and as addressed, once each. Passers-by are not. */
export function feedbackChange(seen: Observation, open: readonly Feedback[], people: People): FeedbackChange | null {
  const known = seen.records.feedback ?? { open: [], count: 0 };
  const now = open
    .filter(({ author }) => !isPasserBy(people.permissionOf(author)))
    .slice(0, toldMax)
    .map(({ id }) => id);
  const received = now.filter((id) => !known.open.includes(id));
  const addressed = known.open.filter((id) => !now.includes(id));
  if (received.length === 0 && addressed.length === 0) return null;
  return { received, addressed, next: { open: now, count: known.count + 1 } };
}

/** A session that died addressed nothing. */
function handledBy(seen: Observation): (one: Feedback) => boolean {
  const done = seen.records.sessions.filter((session) => session.state.kind === "pushed");
  const byId = new Map<string, SessionRecord[]>();
  for (const session of done) {
    for (const id of session.feedback) byId.set(id, [...(byId.get(id) ?? []), session]);
  }
  return (one) => byId.get(one.id)?.some((session) => isReadAs(session, one)) ?? false;
}

export function isReadAs({ meanings }: SessionRecord, { id, meaning }: Pick<Feedback, "id" | "meaning">): boolean {
  return (meanings?.[id] ?? meaning) === meaning;
}

/** Approvals that a later request for changes takes back are left out. */
function lastApprovals(seen: Observation): ReadonlyMap<AccountId, Instant> {
  const found = new Map<AccountId, Instant>();
  const note = (account: AccountId, at: Instant): void => {
    if (at > (found.get(account) ?? 0)) found.set(account, at);
  };
  for (const review of seen.reviews) if (review.state === "approved") note(review.author.id, review.submittedAt);
  for (const one of seen.reactions) if (one.content === "+1") note(one.author.id, one.createdAt);
  for (const { author, state, submittedAt } of seen.reviews) {
    if (state === "changes_requested" && submittedAt >= (found.get(author.id) ?? submittedAt)) found.delete(author.id);
  }
  return found;
}

function isFeedback(seen: Observation, people: People, remark: Remark, address: BotMessage): boolean {
  const { comment, thread } = remark;
  if (!isOther(people, comment) || address.command !== null || isFriendly(comment.body)) return false;
  if (address.prose !== null && !isAside(seen, comment)) return false;
  if (remark.review !== null) return remark.review.state === "commented";
  if (thread === null) return true;
  return !thread.isResolved && !people.isBot(thread.comments[0]?.author.id ?? comment.author.id);
}

function isAside(seen: Observation, comment: Comment): boolean {
  const known = seen.records.classifications.filter((one) => one.comment === comment.id);
  if (known.length === 0) return false;
  const revision = digestOf(comment.body);
  return known.some((one) => one.revision === revision && ["nothing", "out_of_scope"].includes(one.meaning));
}

function isOther(people: People, comment: Comment): boolean {
  return people.isHeard(comment.author) && !people.isAuthor(comment.author.id);
}

/** Only the newest opinion of a person stands. */
function isRequest(seen: Observation, people: People, review: Review): boolean {
  if (review.state !== "changes_requested" || !people.isHeard(review.author)) return false;
  if (people.isAuthor(review.author.id)) return false;
  const latest = seen.reviews.findLast(
    (other) =>
      other.author.id === review.author.id && ["approved", "changes_requested", "dismissed"].includes(other.state),
  );
  return latest?.id === review.id;
}

function asFeedback(comment: Comment, kind: Feedback["kind"]): Feedback {
  const { id, author, body, createdAt } = comment;
  return {
    id,
    author: author.id,
    login: author.login,
    at: createdAt,
    writtenAt: writtenAt(comment),
    meaning: meaningOf(body),
    kind,
  };
}
