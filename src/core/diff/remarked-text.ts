import type { Side } from "#core/diff/hunk.ts";
import { limits } from "#core/model/limits.ts";

/**
 * The lines that a remark is about, out of the piece of the diff that a forge shows above it: that piece ends with the
 * last of them. Its header is not relied on, since Gitea's counts are those of a longer piece. Null where the piece does
 * not hold all of the lines.
 */
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
