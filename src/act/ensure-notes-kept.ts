import { composeBody, contextOf } from "#act/body.ts";
import type { Effect, Outcome } from "#act/effect.ts";
import { editManaged } from "#act/ensure-managed-comment.ts";
import { carries, keptBlocks } from "#act/kept-blocks.ts";
import { ensureOnce, ensureState } from "#act/ledger.ts";
import type { Turn } from "#act/turn.ts";
import { blockInfo } from "#core/blocks/encode-block.ts";
import { markOf } from "#core/effects/effect-mark.ts";
import { oldestOf } from "#core/effects/own-effects.ts";
import { digestOf } from "#core/model/digest.ts";
import type { CommentId } from "#core/model/ids.ts";
import { after, hourMs } from "#core/model/instant.ts";
import { readSentinel } from "#core/words/sentinel.ts";
import { obligationKeyOf } from "#ports/store.ts";

const why: Effect["why"] = { askedBy: "the crank", rule: "the pull alone gives the records back", inputs: [] };
const done: Outcome = { kind: "done", result: null };
const wasThere: Outcome = { ...done, wasThere: true };
/** As many as a pull with thousands of remarks needs. */
const pagesMax = 40;

/**
 * The pull carries what the records say, so that a lost database loses nothing. Done when nothing else is to be done. Only
 * where it carries all of it, and did so before, is it said to have been there: without a managed comment it carries nothing.
 */
export async function ensureNotesKept(turn: Turn): Promise<Outcome> {
  const managed = turn.seen.managedComment?.comment;
  if (managed === undefined) return done;
  const stored = await turn.parts.store.findPull(turn.key);
  // Most looks find everything as the last one did: neither the records have changed nor what carries them.
  const body = turn.seen.comments.find(({ id }) => id === managed)?.body ?? "";
  const state = `${stored?.version ?? 0} ${turn.seen.comments.length} ${body}`;
  if (turn.blocks.wasKept(state)) return wasThere;
  const notes = await notesSeen(turn);
  const keepers = new Set<CommentId>([managed, ...notes]);
  const { pages } = keptBlocks(stored?.records ?? turn.seen.records, turn, keepers);
  let isWhole = pages.length <= pagesMax;
  for (const [index, page] of pages.slice(0, pagesMax).entries()) {
    const comment = index === 0 ? managed : notes[index - 1];
    if (comment !== undefined && carries(turn, comment, page)) continue;
    const written = index === 0 ? await rewriteManaged(turn, managed, page) : await writeNotes(turn, { index, page });
    isWhole = false;
    if (written.kind !== "done") return written;
  }
  if (!isWhole) return done;
  turn.blocks.rememberKept(state);
  return wasThere;
}

/** The notes that are there, in their order; they are written one after the other, so the first gap is the end. */
async function notesSeen(turn: Turn): Promise<readonly CommentId[]> {
  const found: CommentId[] = [];
  while (found.length < pagesMax) {
    const place = await placeOf(turn, found.length + 1);
    if (place.kind !== "there") break;
    found.push(place.comment);
  }
  return found;
}

type Place =
  | { readonly kind: "there"; readonly key: string; readonly comment: CommentId }
  | { readonly kind: "new"; readonly key: string }
  | { readonly kind: "wait"; readonly at: Turn["askedAt"] };

/** Each time that somebody deletes a page, it is written anew under the next number. */
const writtenMax = 20;

async function placeOf(turn: Turn, index: number): Promise<Place> {
  const { store, spans, secret } = turn.parts;
  for (let number = 1; number <= writtenMax; number++) {
    const key = number === 1 ? `notes/${index}` : `notes/${index}/${number}`;
    const text = oldestOf(turn.effects, markOf(key, contextOf(turn), secret));
    if (text?.kind === "comment") return { kind: "there", key, comment: text.id };
    const obligation = await store.findObligation(obligationKeyOf(turn.key, key));
    if (obligation?.state.kind !== "done") return { kind: "new", key };
    // The forge may not show yet what it has just taken.
    const shownAt = after(obligation.state.at, spans.settleMs);
    if (turn.askedAt < shownAt) return { kind: "wait", at: shownAt };
  }
  return { kind: "wait", at: after(turn.askedAt, hourMs) };
}

type Page = ReturnType<typeof keptBlocks>["pages"][number];

async function rewriteManaged(turn: Turn, comment: CommentId, page: Page): Promise<Outcome> {
  const body = turn.seen.comments.find(({ id }) => id === comment)?.body ?? "";
  const sentinel = readSentinel(body);
  if (sentinel?.kind !== "managed") return done;
  const key = `managed_notes/${digestOf(JSON.stringify([body, page]))}`;
  return await editManaged(turn, { comment, key, why, sentinel, words: wordsIn(body), blocks: page });
}

/** The words between the marks before them and the state blocks behind. */
function wordsIn(body: string): string {
  const lines = body.split("\n");
  const first = lines.findIndex((line) => !line.startsWith("<!-- drover:"));
  const words = lines.slice(first === -1 ? lines.length : first).join("\n");
  const details = words.lastIndexOf("\n<details><summary>");
  const isBlocks = details !== -1 && words.includes(blockInfo, details);
  return isBlocks ? words.slice(0, details).trimEnd() : words;
}

async function writeNotes(
  turn: Turn,
  { index, page }: { readonly index: number; readonly page: Page },
): Promise<Outcome> {
  const place = await placeOf(turn, index);
  if (place.kind === "wait") return { kind: "later", at: place.at, why: "the notes were written a moment ago" };
  const { key } = place;
  const words = "_Drover's notes to itself, continued: nothing to read here._";
  const compose = () => composeBody(turn, { mark: { effect: key }, words, blocks: page });
  const named = { lane: key, head: null, why, note: { kind: "none" } } as const;
  if (place.kind === "new") {
    return await ensureOnce(
      turn,
      { ...named, key, kind: "notes" },
      {
        compose,
        send: (body) => turn.parts.forge.createComment({ pull: turn.ref, body, urgency: "upkeep" }),
      },
    );
  }
  const body = await compose();
  const editKey = `${key}#edit/${digestOf(body)}`;
  return await ensureState(turn, { ...named, key: editKey, kind: "notes_edit" }, () =>
    turn.parts.forge.editComment({ pull: turn.ref, comment: place.comment, body }),
  );
}
