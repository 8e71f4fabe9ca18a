import { counted, listed } from "#core/words/counted.ts";
import { codeSpan } from "#core/words/plain-text.ts";
import type { Agent, NotAddressed, SessionJob, SessionOutcome } from "#ports/agent.ts";
import { applySuggestions, type Edit } from "#sessions/agents/suggestions/apply-suggestions.ts";
import { planEdits } from "#sessions/agents/suggestions/plan-edits.ts";
import { type SuggestionRefusal, suggestionRefusalWords } from "#sessions/agents/suggestions/refusal-words.ts";
import { diskFiles, type WorkspaceFiles } from "#sessions/agents/suggestions/workspace-file.ts";

/** Applies the suggestions that reviewers wrote, and nothing else: no model, no network, no command is run. */
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

interface FileToEdit {
  readonly workspace: string;
  readonly path: string;
  readonly edits: readonly Edit[];
}

async function editFile(files: WorkspaceFiles, { workspace, path, edits }: FileToEdit): Promise<FileResult> {
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

/** What holds no suggestion asked for nothing that could be refused, and what waits for its turn is not refused. */
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
