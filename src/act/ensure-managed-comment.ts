import { composeBody } from "#act/compose-body.ts";
import type { Effect, EffectOutcome } from "#act/effect.ts";
import { ensureOnce, ensureState } from "#act/ledger.ts";
import { notePages } from "#act/note-pages.ts";
import type { PullContext } from "#act/pull-context.ts";
import { readMark } from "#core/effects/effect-mark.ts";
import { managedEffect, managedWrittenMax } from "#core/effects/managed-effect.ts";
import type { ActionOf } from "#core/model/action.ts";
import type { CommentId } from "#core/model/ids.ts";
import { after } from "#core/model/instant.ts";
import { obligationKeyOf } from "#ports/store.ts";

export async function ensureManagedComment(
  context: PullContext,
  action: ActionOf<"update_managed_comment">,
): Promise<EffectOutcome> {
  const { digest, text, comment } = action;
  const sentinel = { kind: "managed", digest } as const;
  const blocks = await blocksFor(context, comment);
  const why = { askedBy: "the plan", rule: "the managed comment shows the state", inputs: [digest] };
  if (comment !== null)
    return await editManaged(context, { comment, key: action.key, why, sentinel, words: text, blocks });
  const place = await findPlace(context);
  if (place.kind === "wait") return { kind: "later", at: place.at, why: "the comment was written a moment ago" };
  if (place.kind === "there") {
    return await editManaged(context, { comment: place.comment, key: action.key, why, sentinel, words: text, blocks });
  }
  const effect: Effect = {
    key: place.key,
    kind: "managed_comment",
    lane: "managed",
    head: null,
    why,
    note: { kind: "none" },
  };
  return await ensureOnce(context, effect, {
    compose: () => composeBody(context, { mark: { effect: place.key }, sentinel, words: text, blocks }),
    send: (body) => context.dependencies.forge.createComment({ pull: context.ref, body, urgency: "upkeep" }),
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

export async function editManaged(context: PullContext, edit: ManagedEdit): Promise<EffectOutcome> {
  const { comment, key, why, sentinel, words, blocks } = edit;
  const mark = readMark(context.seen.comments.find(({ id }) => id === comment)?.body ?? "");
  const body = await composeBody(context, {
    mark: mark === undefined ? null : { kept: mark },
    sentinel,
    words,
    blocks,
  });
  const effect: Effect = { key, kind: "managed_edit", lane: "managed", head: null, why, note: { kind: "none" } };
  return await ensureState(context, effect, () =>
    context.dependencies.forge.editComment({ pull: context.ref, comment, body }),
  );
}

async function blocksFor(
  context: PullContext,
  comment: CommentId | null,
): Promise<Parameters<typeof composeBody>[1]["blocks"]> {
  const stored = await context.dependencies.store.findPull(context.key);
  const keepers = new Set(comment === null ? [] : [comment]);
  return notePages(stored?.records ?? context.seen.records, context, keepers).pages[0] ?? [];
}

type Place =
  | { readonly kind: "new"; readonly key: string }
  | { readonly kind: "there"; readonly comment: CommentId }
  | { readonly kind: "wait"; readonly at: PullContext["askedAt"] };

async function findPlace(context: PullContext): Promise<Place> {
  const { store, durations } = context.dependencies;
  for (let number = 1; number < managedWrittenMax; number++) {
    const key = managedEffect(number);
    const obligation = await store.findObligation(obligationKeyOf(context.key, key));
    if (obligation?.state.kind !== "done") return { kind: "new", key };
    const { result, at } = obligation.state;
    const there = context.seen.comments.find(({ id }) => id === result);
    if (there !== undefined) return { kind: "there", comment: there.id };
    // The forge may not show yet what it has just taken.
    const shownAt = after(at, durations.settleMs);
    if (context.askedAt < shownAt) return { kind: "wait", at: shownAt };
  }
  return { kind: "wait", at: after(context.askedAt, hourMs) };
}

const hourMs = 60 * 60 * 1000;
