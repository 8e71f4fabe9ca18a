import type { RawFinding } from "#core/model/finding.ts";
import { codeSpan } from "#core/words/plain-text.ts";

const shownMax = 5;
const messageCharactersMax = 200;

/** Code that the role had read before. It goes into the summary of the look. */
export function lateWords(late: readonly RawFinding[]): string {
  if (late.length === 0) return "";
  const worstFirst = late.toSorted((left, right) => right.score - left.score);
  const lines = worstFirst.slice(0, shownMax).map(({ path, lines: { first }, message, score }) => {
    return `- ${codeSpan(`${path}:${first}`)} ${quiet(message)} (score ${score})`;
  });
  const rest = late.length - lines.length;
  return [
    "These remarks are about code that an earlier review covered. They do not block the merge:\n",
    ...lines,
    ...(rest > 0 ? [`- and ${rest} more`] : []),
  ].join("\n");
}

/** What is left of HTML is made harmless with the rest of the summary. */
function quiet(text: string): string {
  const line = text.replace(/\s+/g, " ").replaceAll("`", "'").replace(/!?\[/g, "(").replaceAll("]", ")").trim();
  return line.length > messageCharactersMax ? `${line.slice(0, messageCharactersMax - 1)}…` : line;
}
