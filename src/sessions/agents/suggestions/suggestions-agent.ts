import { limits } from "#core/model/limits.ts";
import { counted, listed } from "#core/words/counted.ts";
import { codeSpan } from "#core/words/plain-text.ts";
import {
  type Agent,
  type FeedbackItem,
  type FeedbackLines,
  type NotAddressed,
  type SessionJob,
  type SessionOutcome,
} from "#ports/agent.ts";
import { applySuggestions, type Edit, type EditRefusal } from "#sessions/agents/suggestions/apply-suggestions.ts";
import { readSuggestions } from "#sessions/agents/suggestions/suggestion-blocks.ts";
import { diskFiles, type FileRefusal, type WorkspaceFiles } from "#sessions/agents/suggestions/workspace-file.ts";

type ItemRefusal =
  | "no_suggestion"
  | "several"
  | "no_place"
  | Exclude<FeedbackLines["kind"], "proven">
  | "too_long"
  | "too_many";

interface PlannedEdits {
  /** Files in the order of their first mention, edits in that of the feedback. */
  readonly byPath: ReadonlyMap<string, readonly Edit[]>;
  readonly refused: readonly { readonly id: string; readonly why: ItemRefusal }[];
}

/** The rest is for the next session: each is compared with all others of its file. */
const editsMax = 1_000;

function planEdits(feedback: readonly FeedbackItem[]): PlannedEdits {
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

type SuggestionRefusal = EditRefusal | ItemRefusal | FileRefusal;

const suggestionRefusalWords = {
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

/** No model, no network, no command. */
export function suggestionsAgent(files: WorkspaceFiles = diskFiles): Agent {
  return { price: "free", serves: ["feedback", "command"], run: (job) => runSuggestions(job, files) };
}

async function runSuggestions(job: SessionJob, files: WorkspaceFiles): Promise<SessionOutcome> {
  const { byPath, refused } = planEdits(job.feedback);
  const refusals: Refusal[] = [...refused];
  const addressed: string[] = [];
  const changedPaths: string[] = [];
  for (const [path, edits] of byPath) {
    if (job.signal.aborted)
      return { kind: "failed", why: "The session was cancelled.", retryAt: null, costMicroUsd: 0 };
    const result = await editFile(files, { workspace: job.workspace, path, edits });
    refusals.push(...result.refused);
    addressed.push(...result.applied);
    if (result.applied.length > 0) changedPaths.push(path);
  }
  const notAddressed = inOrder(job, refusals);
  const summary = summaryOf({ addressed: addressed.length, changedPaths, left: notAddressed.length });
  if (addressed.length === 0) return { kind: "nothing_to_do", summary, notAddressed, costMicroUsd: 0 };
  const order = new Set(addressed);
  const ids = job.feedback.map(({ id }) => id).filter((id) => order.has(id));
  return { kind: "changed", summary, addressed: ids, notAddressed, costMicroUsd: 0 };
}

interface Refusal {
  readonly id: string;
  readonly why: SuggestionRefusal;
}

interface FileResult {
  readonly applied: readonly string[];
  readonly refused: readonly Refusal[];
}

async function editFile(
  files: WorkspaceFiles,
  { workspace, path, edits }: { readonly workspace: string; readonly path: string; readonly edits: readonly Edit[] },
): Promise<FileResult> {
  const read = await files.read(workspace, path);
  if (read.kind === "refused") return refuseAll(edits, read.why);
  const { text, applied, refused } = applySuggestions(read.text, edits);
  if (applied.length === 0) return { applied, refused };
  const problem = await files.write(workspace, path, text);
  return problem === null ? { applied, refused } : refuseAll(edits, problem);
}

function refuseAll(edits: readonly Edit[], why: SuggestionRefusal): FileResult {
  return { applied: [], refused: edits.map(({ id }) => ({ id, why })) };
}

function inOrder(job: SessionJob, refusals: readonly Refusal[]): readonly NotAddressed[] {
  const whys = new Map(refusals.map(({ id, why }) => [id, why]));
  return job.feedback.flatMap(({ id }) => {
    const why = whys.get(id);
    return why === undefined ? [] : [{ id, why: suggestionRefusalWords[why], isRefused: isRefusal(why) }];
  });
}

/** A remark without a suggestion asked for nothing, and what waits for its turn is not refused. */
function isRefusal(why: SuggestionRefusal): boolean {
  return why !== "no_suggestion" && why !== "too_many" && why !== "too_long";
}

function summaryOf(figures: {
  readonly addressed: number;
  readonly changedPaths: readonly string[];
  readonly left: number;
}): string {
  const { addressed, changedPaths, left } = figures;
  const done =
    addressed === 0
      ? "No suggestion could be applied."
      : `Applied ${counted(addressed, "suggestion", "suggestions")} in ${listed(changedPaths.map(codeSpan))}.`;
  return left === 0 ? done : `${done} ${counted(left, "remark is", "remarks are")} left.`;
}
