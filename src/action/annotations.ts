import { workflowCommand } from "#action/workflow-command.ts";
import { openFindings, type RunReport } from "#app/run/run-report.ts";
import type { Finding } from "#core/model/finding.ts";

/** GitHub shows so many of each kind for a step; what would not be shown is in the summary. */
const shownMax = 10;

/** What could not be done; then what stands between the pull and its merge, beside the lines that it is about. */
export function annotations(ending: RunReport): string {
  const open = openFindings(ending);
  // They are nowhere else on the page of the pull, while blockers are in the review as well.
  const untold = ending.troubles.slice(0, shownMax);
  const blockers = open.filter(({ isBlocking }) => isBlocking).slice(0, shownMax - untold.length);
  const others = open.filter(({ isBlocking }) => !isBlocking).slice(0, shownMax);
  return [
    ...untold.map((trouble) => workflowCommand("error", { title: "Drover" }, trouble)),
    ...blockers.map((finding) => annotation("error", finding)),
    ...others.map((finding) => annotation("warning", finding)),
  ].join("");
}

/** Lines of the old side are not in the file any more: the annotation is on the file then. */
function annotation(level: "error" | "warning", finding: Finding): string {
  const { path, side, lines, rule, message } = finding;
  const place = side === "new" ? { line: lines.first, endLine: lines.last } : {};
  return workflowCommand(level, { file: path, ...place, title: `Drover: ${rule}` }, message);
}
