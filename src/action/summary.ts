import { openFindings, outputsOf, type RunReport } from "#core/plan/run-report.ts";
import { counted } from "#core/words/counted.ts";
import { findingLine } from "#core/words/finding-words.ts";
import { flightPlanText } from "#core/words/flight-plan-words.ts";
import { forgeCostWords } from "#core/words/forge-cost-words.ts";
import { outgoing } from "#core/words/outgoing.ts";
import { codeSpan, plainLine } from "#core/words/plain-text.ts";

const lineCharactersMax = 500;
const findingsMax = 200;

const readOnlyWords =
  "This pull comes from a fork, so the job may only read: nothing was posted and nothing is fixed. What the review says is here.";

export function summary(ending: RunReport): string {
  const { last, repository, pull, verdict, tasks, troubles, forgeCost } = ending;
  const findings = openFindings(ending);
  const shown = findings
    .slice(0, findingsMax)
    .map((finding) => `- ${finding.isBlocking ? "❌" : "⚠️"} ${findingLine(finding)}`);
  const rest = findings.length > findingsMax ? [`- and ${findings.length - findingsMax} more`] : [];
  const sections = [
    `## Drover: ${verdict}`,
    `${codeSpan(`${repository}#${pull}`)} · ${counted(tasks.length, "task", "tasks")} · $${outputsOf(ending).cost}${forgeCost === undefined ? "" : ` · ${forgeCostWords(forgeCost)}`}`,
    ...(ending.isReadOnly ? [readOnlyWords] : []),
    ...(last === null ? [] : ["### Flight plan", flightPlanText(last.seen, last.situation)]),
    ...(findings.length === 0 ? [] : ["### Findings", [...shown, ...rest].join("\n")]),
    ...(tasks.length === 0 ? [] : ["### Tasks", tasks.map(taskLine).join("\n")]),
    ...(troubles.length === 0 ? [] : ["### Could not be done", troubles.map((line) => `- ${plain(line)}`).join("\n")]),
  ];
  return `${outgoing(sections.join("\n\n"), last?.seen.rules.handle ?? "@drover")}\n`;
}

function taskLine({ kind, subject, trigger, result, why }: RunReport["tasks"][number]): string {
  return `- ${kind} (${plain(subject)}, ${trigger}): ${result}${why === null ? "" : `: ${plain(why)}`}`;
}

function plain(text: string): string {
  return plainLine(text, lineCharactersMax);
}
