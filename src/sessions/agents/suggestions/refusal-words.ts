import type { EditRefusal } from "#sessions/agents/suggestions/apply-suggestions.ts";
import type { ItemRefusal } from "#sessions/agents/suggestions/plan-edits.ts";
import type { FileRefusal } from "#sessions/agents/suggestions/workspace-file.ts";

export type SuggestionRefusal = EditRefusal | ItemRefusal | FileRefusal;

/** Why a remark was not addressed, as its author is told. */
export const suggestionRefusalWords = {
  no_suggestion: "It holds no suggestion block.",
  several: "It holds several different suggestions; somebody has to choose.",
  no_place: "It is not about lines of a file.",
  outdated: "The lines it is about have been changed since.",
  old_side: "It is about lines that this pull removes, so there is nothing to replace.",
  unproven: "It cannot be proven which lines of the branch it is about.",
  too_long: "It is too long to be read.",
  too_many: "There are too many suggestions for one session; the next one goes on.",
  out_of_range: "The file has no such lines any more.",
  stale: "The lines read differently from when it was made.",
  overlap: "An earlier suggestion changes the same lines.",
  unchanged: "The lines read like this already.",
  bad_path: "Its path does not name a file of the repository.",
  no_file: "The file is not there any more.",
  link: "The file is a link, or lies behind one.",
  too_large: "The file is too large to be edited this way.",
  not_text: "The file is not UTF-8 text.",
  unwritable: "The file could not be written.",
} as const satisfies Record<SuggestionRefusal, string>;
