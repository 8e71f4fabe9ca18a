import { composeBody } from "#act/body.ts";
import type { Effect, Outcome } from "#act/effect.ts";
import { keptBlocks } from "#act/kept-blocks.ts";
import { ensureOnce, ensureState } from "#act/ledger.ts";
import type { Turn } from "#act/turn.ts";
import { readMark } from "#core/effects/effect-mark.ts";
import { managedEffect, managedWrittenMax } from "#core/effects/managed-effect.ts";
import type { ActionOf } from "#core/model/action.ts";
import type { CommentId } from "#core/model/ids.ts";
import { after } from "#core/model/instant.ts";
import { obligationKeyOf } from "#ports/store.ts";

/** The one comment that shows where the pull stands: written once, edited from then on. */
export async function ensureManagedComment(turn: Turn, action: ActionOf<"update_managed_comment">): Promise<Outcome> {
  const { digest, text, comment } = action;
  const sentinel = { kind: "managed", digest } as const;
  const blocks = await blocksFor(turn, comment);
  const why = { askedBy: "the plan", rule: "the managed comment shows the state", inputs: [digest] };
  if (comment !== null)
    return await editManaged(turn, { comment, key: action.key, why, sentinel, words: text, blocks });
  const place = await findPlace(turn);
  if (place.kind === "wait") return { kind: "later", at: place.at, why: "the comment was written a moment ago" };
  if (place.kind === "there") {
    return await editManaged(turn, { comment: place.comment, key: action.key, why, sentinel, words: text, blocks });
  }
  const effect: Effect = {
    key: place.key,
    kind: "managed_comment",
    lane: "managed",
    head: null,
    why,
    note: { kind: "none" },
  };
  return await ensureOnce(turn, effect, {
    compose: () => composeBody(turn, { mark: { effect: place.key }, sentinel, words: text, blocks }),
    send: (body) => turn.parts.forge.createComment({ pull: turn.ref, body, urgency: "upkeep" }),
  });
}

interface ManagedEdit {
  readonly comment: CommentId;
  readonly key: string;
  readonly why: Effect["why"];
  readonly sentinel: { readonly kind: "managed"; readonly digest: string };
  readonly words: string;
  readonly blocks: Parameters<typeof composeBody>[1]["blocks"];
}

export async function editManaged(turn: Turn, edit: ManagedEdit): Promise<Outcome> {
  const { comment, key, why, sentinel, words, blocks } = edit;
  const mark = readMark(turn.seen.comments.find(({ id }) => id === comment)?.body ?? "");
  const body = await composeBody(turn, {
    mark: mark === undefined ? null : { kept: mark },
    sentinel,
    words,
    blocks,
  });
  const effect: Effect = { key, kind: "managed_edit", lane: "managed", head: null, why, note: { kind: "none" } };
  return await ensureState(turn, effect, () => turn.parts.forge.editComment({ pull: turn.ref, comment, body }));
}

async function blocksFor(turn: Turn, comment: CommentId | null): Promise<Parameters<typeof composeBody>[1]["blocks"]> {
  const stored = await turn.parts.store.findPull(turn.key);
  const keepers = new Set(comment === null ? [] : [comment]);
  return keptBlocks(stored?.records ?? turn.seen.records, turn, keepers).pages[0] ?? [];
}

type Place =
  | { readonly kind: "new"; readonly key: string }
  | { readonly kind: "there"; readonly comment: CommentId }
  | { readonly kind: "wait"; readonly at: Turn["askedAt"] };

async function findPlace(turn: Turn): Promise<Place> {
  const { store, spans } = turn.parts;
  for (let number = 1; number < managedWrittenMax; number++) {
    const key = managedEffect(number);
    const obligation = await store.findObligation(obligationKeyOf(turn.key, key));
    if (obligation?.state.kind !== "done") return { kind: "new", key };
    const { result, at } = obligation.state;
    const there = turn.seen.comments.find(({ id }) => id === result);
    if (there !== undefined) return { kind: "there", comment: there.id };
    // The forge may not show yet what it has just taken.
    const shownAt = after(at, spans.settleMs);
    if (turn.askedAt < shownAt) return { kind: "wait", at: shownAt };
  }
  return { kind: "wait", at: after(turn.askedAt, hourMs) };
}

const hourMs = 60 * 60 * 1000;
