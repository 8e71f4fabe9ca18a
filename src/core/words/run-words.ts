import type { Observation } from "#core/model/observation.ts";
import { outgoing } from "#core/words/outgoing.ts";
import { codeSpan, plainLine } from "#core/words/plain-text.ts";
import { shortSha } from "#core/words/short-sha.ts";

const troubleCharactersMax = 300;
const troublesMax = 10;

export interface FailedTask {
  readonly task: string;
  readonly troubles: readonly string[];
  readonly id: string;
}

export function failedTask(seen: Observation, { task, troubles, id }: FailedTask): string {
  const shown = troubles.slice(0, troublesMax).map((trouble) => `- ${plainLine(trouble, troubleCharactersMax)}`);
  const rest = troubles.length > troublesMax ? [`- and ${troubles.length - troublesMax} more`] : [];
  const text = [
    `**${taskWords(task)} on ${codeSpan(shortSha(seen.pull.head.sha))} failed** (${codeSpan(id)} in the log). The other tasks were done. These failed:`,
    [...shown, ...rest].join("\n"),
    `Run the job again, push, or comment ${codeSpan(`${seen.rules.handle} review`)}: the next run finds everything that is still open.`,
  ];
  return outgoing(text.join("\n\n"), seen.rules.handle);
}

export function solvedTask(seen: Observation, { task, id }: Pick<FailedTask, "task" | "id">): string {
  return outgoing(
    `**Solved:** ${taskWords(task)} failed here (${codeSpan(id)} in the log); a later run did it.`,
    seen.rules.handle,
  );
}

function taskWords(task: string): string {
  const [kind = task, ...subject] = task.split("/");
  return `A ${kind}${subject.length === 0 ? "" : ` (${plainLine(subject.join("/"), troubleCharactersMax)})`}`;
}
