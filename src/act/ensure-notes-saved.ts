import { blockContextOf, composeBody } from "#act/compose-body.ts";
import type { Effect, EffectOutcome } from "#act/effect.ts";
import { editManaged } from "#act/ensure-managed-comment.ts";
import { ensureOnce, ensureState } from "#act/ledger.ts";
import { carries, notePages } from "#act/note-pages.ts";
import type { PullContext } from "#act/pull-context.ts";
import { blockInfo } from "#core/blocks/encode-block.ts";
import { markOf } from "#core/effects/effect-mark.ts";
import { oldestOf } from "#core/effects/own-effects.ts";
import { digestOf } from "#core/model/digest.ts";
import type { CommentId } from "#core/model/ids.ts";
import { after, hourMs } from "#core/model/instant.ts";
import { readSentinel } from "#core/words/sentinel.ts";
import { obligationKeyOf } from "#ports/store.ts";

const why: Effect["why"] = { askedBy: "the crank", rule: "the pull alone gives the records back", inputs: [] };
const done: EffectOutcome = { kind: "done", result: null };
const wasThere: EffectOutcome = { ...done, wasThere: true };
/** As many as a pull with thousands of remarks needs. */
const pagesMax = 40;

/** The pull carries the records, so that a lost database loses nothing. Only a managed comment makes that possible. */
export async function ensureNotesSaved(context: PullContext): Promise<EffectOutcome> {
  const managed = context.seen.managedComment?.comment;
  if (managed === undefined) return done;
  const stored = await context.dependencies.store.findPull(context.key);
  // Most ticks find neither the records nor their carriers changed.
  const body = context.seen.comments.find(({ id }) => id === managed)?.body ?? "";
  const state = `${stored?.version ?? 0} ${context.seen.comments.length} ${body}`;
  if (context.blocks.wasKept(state)) return wasThere;
  const notes = await notesSeen(context);
  const keepers = new Set<CommentId>([managed, ...notes]);
  const { pages } = notePages(stored?.records ?? context.seen.records, context, keepers);
  let isWhole = pages.length <= pagesMax;
  for (const [index, page] of pages.slice(0, pagesMax).entries()) {
    const comment = index === 0 ? managed : notes[index - 1];
    if (comment !== undefined && carries(context, comment, page)) continue;
    const written =
      index === 0 ? await rewriteManaged(context, managed, page) : await writeNotes(context, { index, page });
    isWhole = false;
    if (written.kind !== "done") return written;
  }
  if (!isWhole) return done;
  context.blocks.rememberKept(state);
  return wasThere;
}

/** Notes are written one after the other, so the first gap is the end. */
async function notesSeen(context: PullContext): Promise<readonly CommentId[]> {
  const found: CommentId[] = [];
  while (found.length < pagesMax) {
    const place = await placeOf(context, found.length + 1);
    if (place.kind !== "there") break;
    found.push(place.comment);
  }
  return found;
}

type Place =
  | { readonly kind: "there"; readonly key: string; readonly comment: CommentId }
  | { readonly kind: "new"; readonly key: string }
  | { readonly kind: "wait"; readonly at: PullContext["askedAt"] };

/** If a page is deleted, it is written again under the next number. */
const writtenMax = 20;

async function placeOf(context: PullContext, index: number): Promise<Place> {
  const { store, durations, secret } = context.dependencies;
  for (let number = 1; number <= writtenMax; number++) {
    const key = number === 1 ? `notes/${index}` : `notes/${index}/${number}`;
    const text = oldestOf(context.effects, markOf(key, blockContextOf(context), secret));
    if (text?.kind === "comment") return { kind: "there", key, comment: text.id };
    const obligation = await store.findObligation(obligationKeyOf(context.key, key));
    if (obligation?.state.kind !== "done") return { kind: "new", key };
    // The forge may not show yet what it has just taken.
    const shownAt = after(obligation.state.at, durations.settleMs);
    if (context.askedAt < shownAt) return { kind: "wait", at: shownAt };
  }
  return { kind: "wait", at: after(context.askedAt, hourMs) };
}

type Page = ReturnType<typeof notePages>["pages"][number];

async function rewriteManaged(context: PullContext, comment: CommentId, page: Page): Promise<EffectOutcome> {
  const body = context.seen.comments.find(({ id }) => id === comment)?.body ?? "";
  const sentinel = readSentinel(body);
  if (sentinel?.kind !== "managed") return done;
  const key = `managed_notes/${digestOf(JSON.stringify([body, page]))}`;
  return await editManaged(context, { comment, key, why, sentinel, words: wordsIn(body), blocks: page });
}

function wordsIn(body: string): string {
  const lines = body.split("\n");
  const first = lines.findIndex((line) => !line.startsWith("<!-- drover:"));
  const words = lines.slice(first === -1 ? lines.length : first).join("\n");
  const details = words.lastIndexOf("\n<details><summary>");
  const isBlocks = details !== -1 && words.includes(blockInfo, details);
  return isBlocks ? words.slice(0, details).trimEnd() : words;
}

async function writeNotes(
  context: PullContext,
  { index, page }: { readonly index: number; readonly page: Page },
): Promise<EffectOutcome> {
  const place = await placeOf(context, index);
  if (place.kind === "wait") return { kind: "later", at: place.at, why: "the notes were written a moment ago" };
  const { key } = place;
  const words = "_Drover's notes to itself, continued: nothing to read here._";
  const compose = () => composeBody(context, { mark: { effect: key }, words, blocks: page });
  const named = { lane: key, head: null, why, note: { kind: "none" } } as const;
  if (place.kind === "new") {
    return await ensureOnce(
      context,
      { ...named, key, kind: "notes" },
      {
        compose,
        send: (body) => context.dependencies.forge.createComment({ pull: context.ref, body, urgency: "upkeep" }),
      },
    );
  }
  const body = await compose();
  const editKey = `${key}#edit/${digestOf(body)}`;
  return await ensureState(context, { ...named, key: editKey, kind: "notes_edit" }, () =>
    context.dependencies.forge.editComment({ pull: context.ref, comment: place.comment, body }),
  );
}
