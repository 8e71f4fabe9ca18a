import { decodeText } from "#core/diff/decode-text.ts";
import type { Side } from "#core/diff/hunk.ts";
import type { ChangeView } from "#ports/change-view.ts";

const textBytesMax = 2_000_000;
const pathCharactersMax = 1_000;

export async function readRepositoryText(
  { readFile }: Pick<ChangeView, "readFile">,
  { side, path }: { readonly side: Side; readonly path: string },
): Promise<string | null> {
  if (!isPathOfRepository(path)) return null;
  const bytes = await readFile(side, path);
  if (bytes === null || bytes.length > textBytesMax || bytes.subarray(0, binaryBytes).includes(0)) return null;
  return decodeText(bytes);
}

/** As git does, for a zero byte. */
const binaryBytes = 8_000;

/** The port refuses such paths too; a model's words do not get that far. */
export function isPathOfRepository(path: string): boolean {
  if (path === "" || path.length > pathCharactersMax || path.includes("\\")) return false;
  // oxlint-disable-next-line no-control-regex -- no name that people use has one.
  if (/[\u0000-\u001f\u007f]/.test(path)) return false;
  return path.split("/").every((segment) => !["", ".", ".."].includes(segment) && segment.toLowerCase() !== ".git");
}
