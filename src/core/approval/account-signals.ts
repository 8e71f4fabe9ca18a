import type { ApprovalInput } from "#core/approval/approval-input.ts";
import { reactionSignalId, reviewSignalId } from "#core/approval/signal-id.ts";
import { compareText } from "#core/compare-text.ts";
import type { Account } from "#core/model/account.ts";
import type { Reaction, Review } from "#core/model/conversation.ts";
import type { AccountId, HeadSha } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";

export interface ApprovalSignal {
  readonly id: string;
  readonly account: Account;
  readonly at: Instant;
  readonly protocol: "emoji" | "reviews";
  /** What the forge says was looked at: a reason to doubt, never a proof. */
  readonly commit: HeadSha | null;
}

export interface AccountSignals {
  readonly account: Account;
  readonly approvals: readonly ApprovalSignal[];
  readonly denials: readonly Review[];
  readonly eyes: readonly Reaction[];
}

interface VoiceInMaking {
  account: Account;
  readonly approvals: ApprovalSignal[];
  readonly denials: Review[];
  readonly eyes: Reaction[];
}

export function signalsByAccount(seen: Pick<ApprovalInput, "reviews" | "reactions">): readonly AccountSignals[] {
  const voices = new Map<AccountId, VoiceInMaking>();
  for (const review of onceEach(seen.reviews, reviewSignalId, describeReview)) {
    const voice = voiceOf(voices, review.author);
    if (review.state === "approved") voice.approvals.push(fromReview(review));
    else if (review.state === "changes_requested" || review.state === "dismissed") voice.denials.push(review);
  }
  for (const reaction of onceEach(seen.reactions, reactionKey, describeAuthor)) {
    const voice = voiceOf(voices, reaction.author);
    if (reaction.content === "+1") voice.approvals.push(fromReaction(reaction));
    else if (reaction.content === "eyes") voice.eyes.push(reaction);
  }
  return [...voices.values()].sort((left, right) => compareText(left.account.id, right.account.id));
}

function reactionKey(reaction: Reaction): string {
  return `${reactionSignalId(reaction)} ${reaction.content}`;
}

function fromReview(review: Review): ApprovalSignal {
  const { author: account, submittedAt: at, commit } = review;
  return { id: reviewSignalId(review), account, at, protocol: "reviews", commit };
}

function fromReaction(reaction: Reaction): ApprovalSignal {
  const { author: account, createdAt: at } = reaction;
  return { id: reactionSignalId(reaction), account, at, protocol: "emoji", commit: null };
}

/** An account that changed while the pages were read is taken in one way, whichever page came first. */
function voiceOf(voices: Map<AccountId, VoiceInMaking>, account: Account): VoiceInMaking {
  const known = voices.get(account.id);
  if (known === undefined) {
    const voice = { account, approvals: [], denials: [], eyes: [] };
    voices.set(account.id, voice);
    return voice;
  }
  if (describeAccount(account) < describeAccount(known.account)) known.account = account;
  return known;
}

/** Of two copies that differ, the one whose description sorts first: no order of pages decides. */
function onceEach<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  describe: (item: Item) => string,
): readonly Item[] {
  const once = new Map<string, Item>();
  for (const item of items) {
    const key = keyOf(item);
    const other = once.get(key);
    if (other === undefined || describe(item) < describe(other)) once.set(key, item);
  }
  return [...once.values()];
}

/** A review that changed while the pages were read is taken at its less favourable state; the next look settles it. */
const statesFromWorst: readonly Review["state"][] = [
  "changes_requested",
  "dismissed",
  "pending",
  "commented",
  "approved",
];

function describeReview(review: Review): string {
  const rank = statesFromWorst.indexOf(review.state);
  return `${rank} ${describeAuthor(review)} ${review.submittedAt} ${review.commit}`;
}

function describeAuthor(item: { readonly author: Account }): string {
  return describeAccount(item.author);
}

/** A bot sorts before a person: in doubt an account is a bot. */
function describeAccount(account: Account): string {
  return `${account.kind} ${account.login}`;
}
