import type { BotMessage } from "#core/commands/command.ts";
import type { Feedback, FeedbackChange, Heads } from "#core/decision/situation.ts";
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

/** Longer words of thanks may hold a wish. */
const friendlyCharactersMax = 200;

const phrases = [
  "lgtm",
  "(?:this |it |that |all )?looks? (?:very |really )?(?:good|great|fine)(?: to me| now)?",
  "(?:many |much )?thanks?(?: you)?(?: (?:so|very) much| a lot| again| all)?(?: for (?:this|that|it|fixing(?: it| this)?|the fix|the (?:quick )?change|the update))?",
  "thx|ty|cheers|kudos|congrats",
  "(?:very |really )?(?:nice|great|good|excellent|amazing|awesome|fantastic|perfect|lovely|cool)(?: work| job| one| stuff| catch| idea| point| change| fix)?",
  "well done|love it|love this|ship it|good to go|sounds good|makes sense|agreed|approved?|works for me",
  "no worries|no problem|np|ok(?:ay)?|yes|yep|yay|done|fixed",
  "[:;]-?[)dp]",
  "\\+1|:[a-z0-9_+-]{1,30}:|@[a-z0-9][a-z0-9-]{0,38}",
  "[\\p{Extended_Pictographic}\\p{Emoji_Component}\\u200d\\ufe0f]+",
] as const;

const phrase = new RegExp(`(?:${phrases.join("|")})(?![\\p{L}\\p{N}_])`, "uy");
/** No question mark: a question needs an answer. */
const between = /[\s.,;!…~()\-–—]*/uy;

/** A short list and no model: a model's reading must not decide whether code is pushed. */
export function isFriendly(text: string): boolean {
  const said = text.trim().toLowerCase();
  if (said === "" || said.length > friendlyCharactersMax) return false;
  let at = skip(said, 0);
  while (at < said.length) {
    phrase.lastIndex = at;
    const found = phrase.exec(said)?.[0] ?? "";
    if (found === "") return false;
    at = skip(said, at + found.length);
  }
  return true;
}

function skip(text: string, at: number): number {
  between.lastIndex = at;
  return at + (between.exec(text)?.[0].length ?? 0);
}
