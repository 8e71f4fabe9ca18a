import { codeSpan } from "#core/words/plain-text.ts";
import { addedCode, type ChangedFile } from "#reviewers/rules/changed-file.ts";
import { isWorkflow, scriptLines } from "#reviewers/rules/ci/workflow-file.ts";
import { type Hit, hitLine, type Rule } from "#reviewers/rules/rule.ts";

export const workflowInjection: Rule = {
  name: "workflow-injection",
  title: "Text of strangers in a CI script",
  score: 9,
  catches:
    "An expression that puts a title, body, branch name, commit message or the like into a `run` or `script` of a workflow, where it becomes part of the script. Values that strangers do not choose (numbers, commit ids), and the same expression under `env`, are left alone.",
  example: 'run: echo "${{ github.event.issue.title }}"',
  scope: "written",
  applies: isWorkflow,
  check: findInjections,
};

const chosenByStrangers =
  /\$\{\{(?:(?!\}\}).)*?\b(?<value>github\.head_ref|github\.event\.(?:(?:issue|pull_request|discussion)\.(?:title|body)|pull_request\.head\.(?:ref|label|repo\.default_branch)|(?:comment|review|review_comment)\.body|pages\b[\w.*[\]]*\.page_name|commits\b[\w.*[\]]*\.(?:message|author\.(?:name|email))|head_commit\.(?:message|author\.(?:name|email))|workflow_run\.(?:head_branch|head_commit\.message)))\b.*?\}\}/;

function findInjections(file: ChangedFile): readonly Hit[] {
  const scripts = scriptLines(file.lines);
  return addedCode(file).flatMap((line) => {
    const value = scripts.has(line.number) ? chosenByStrangers.exec(line.text)?.groups?.["value"] : undefined;
    if (value === undefined) return [];
    const message = `${codeSpan(value)} is chosen by whoever opens the issue or pull, and becomes part of this script before it runs: a quote and a \`;\` in it run anything. Pass it through \`env:\` and use the variable in the script.`;
    return [hitLine(line.number, { score: 9, message })];
  });
}
