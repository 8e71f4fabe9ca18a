import type { Observation } from "#core/model/observation.ts";
import { outgoing } from "#core/words/outgoing.ts";
import { codeSpan, plainLine } from "#core/words/plain.ts";
import { shortSha } from "#core/words/short-sha.ts";

const troubleCharactersMax = 300;
const troublesMax = 10;

/** What a run could not do, in the one comment that it leaves about it. */
export function failedRun(seen: Observation, troubles: readonly string[]): string {
  const shown = troubles.slice(0, troublesMax).map((trouble) => `- ${plainLine(trouble, troubleCharactersMax)}`);
  const rest = troubles.length > troublesMax ? [`- and ${troubles.length - troublesMax} more`] : [];
  const text = [
    `**A run on ${codeSpan(shortSha(seen.pull.head.sha))} failed.** What could be done was done; this could not:`,
    [...shown, ...rest].join("\n"),
    `Run the job again, push, or comment ${codeSpan(`${seen.rules.handle} review`)}: the next run finds everything that is still open.`,
  ];
  return outgoing(text.join("\n\n"), seen.rules.handle);
}
