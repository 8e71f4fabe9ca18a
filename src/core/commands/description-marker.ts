import { findCommandWord, markerDurationAt } from "#core/commands/command-word.ts";
import { findMentions, liveMentions } from "#core/commands/mentions.ts";
import { liveText } from "#core/markdown/live-text.ts";
import type { AccountId } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import type { BodyEdit, Pull } from "#core/model/pull.ts";

/** A duration of null: until somebody enables. */
export interface SuppressionMarker {
  readonly at: Instant;
  readonly by: AccountId;
  readonly forMs: number | null;
}

/** Without a known edit it counts as the author's at creation: every later command is stronger than a guess. */
export function readMarker(pull: Pull, handle: string): SuppressionMarker | null {
  const now = findMarker(pull.body, handle);
  if (now === null) return null;
  const edit = editThatBrought(now, pull.bodyEdits, handle);
  return { at: edit?.at ?? pull.createdAt, by: edit?.by ?? pull.author.id, forMs: now.forMs };
}

interface MarkerText {
  readonly forMs: number | null;
}

/** Another duration is another marker: its time starts anew. */
function editThatBrought(now: MarkerText, edits: readonly BodyEdit[], handle: string): BodyEdit | null {
  let brought: BodyEdit | null = null;
  const newestFirst = edits.toSorted((one, other) => one.at - other.at).toReversed();
  for (const edit of newestFirst) {
    if (edit.body === null) return null;
    if (findMarker(edit.body, handle)?.forMs !== now.forMs) return brought;
    brought = edit;
  }
  return null;
}

/** A duration that cannot be read counts as none: there is nobody to ask back. */
function findMarker(body: string, handle: string): MarkerText | null {
  const mentions = findMentions(body, handle);
  if (mentions.length === 0) return null;
  const live = liveText(body);
  for (const mention of liveMentions(mentions, live)) {
    const place = findCommandWord(body, mention.end);
    if (place?.word !== "disable-reviews") continue;
    return { forMs: markerDurationAt(live, place) };
  }
  return null;
}
