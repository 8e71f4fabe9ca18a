import { limits } from "#core/model/limits.ts";
import type { FeedbackItem, FeedbackLines } from "#ports/agent.ts";
import type { Edit } from "#sessions/agents/suggestions/apply-suggestions.ts";
import { readSuggestions } from "#sessions/agents/suggestions/suggestion-blocks.ts";

export type ItemRefusal =
  | "no_suggestion"
  | "several"
  | "no_place"
  | Exclude<FeedbackLines["kind"], "proven">
  | "too_long"
  | "too_many";

export interface PlannedEdits {
  /** By path, in the order in which the files were first named; the edits of a file in the order of the feedback. */
  readonly byPath: ReadonlyMap<string, readonly Edit[]>;
  readonly refused: readonly { readonly id: string; readonly why: ItemRefusal }[];
}

/** More suggestions than that are left for the next session: each is held against all others of its file. */
const editsMax = 1_000;

/** Which lines of which files the feedback proposes to replace. */
export function planEdits(feedback: readonly FeedbackItem[]): PlannedEdits {
  const byPath = new Map<string, Edit[]>();
  const refused: PlannedEdits["refused"][number][] = [];
  let count = 0;
  for (const item of feedback) {
    const read = count < editsMax ? readItem(item) : "too_many";
    if (typeof read === "string") {
      refused.push({ id: item.id, why: read });
      continue;
    }
    byPath.set(read.path, [...(byPath.get(read.path) ?? []), read.edit]);
    count += 1;
  }
  return { byPath, refused };
}

/** Several different suggestions in one remark are alternatives, and choosing among them is for people. */
function readItem({ id, body, place }: FeedbackItem): ItemRefusal | { readonly path: string; readonly edit: Edit } {
  if (body.length > limits.bodyCharactersMax) return "too_long";
  const [after, ...others] = readSuggestions(body);
  if (after === undefined) return "no_suggestion";
  if (others.some((other) => other.join("\n") !== after.join("\n") || other.length !== after.length)) return "several";
  if (place === null) return "no_place";
  const { path, lines } = place;
  if (lines.kind !== "proven") return lines.kind;
  const { first, last, text } = lines;
  return { path, edit: { id, first, last, before: text.split("\n"), after } };
}
