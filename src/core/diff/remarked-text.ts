import type { Side } from "#core/diff/hunk.ts";
import { limits } from "#core/model/limits.ts";

/** A forge's piece of diff ends with the remarked lines. Its header is unused: Gitea's counts are of a longer piece. */
export function readRemarkedText(
  hunk: string,
  { side, first, last }: { readonly side: Side; readonly first: number; readonly last: number },
): string | null {
  const wanted = last - first + 1;
  const [header, ...body] = hunk.replace(/\n$/, "").split("\n");
  if (header?.startsWith("@@ ") !== true || wanted < 1 || wanted > body.length) return null;
  // A backslash says that the file ends without a newline, and is no line.
  const lines = body.filter((line) => !line.startsWith("\\"));
  const other = side === "new" ? "-" : "+";
  if (lines.at(-1)?.startsWith(other) !== false) return null;
  const found = lines.filter((line) => !line.startsWith(other)).slice(-wanted);
  if (found.length < wanted) return null;
  const text = found.map((line) => line.slice(1).replace(/\r$/, "")).join("\n");
  return text.length > limits.bodyCharactersMax ? null : text;
}
