import type { Diff } from "#core/diff/diff.ts";
import type { DiffFile } from "#core/diff/diff-file.ts";
import { firstLine, hunksOf, lineAfter } from "#core/diff/hunk.ts";
import { estimateTokens } from "#core/prompt/token-estimate.ts";
import { maskSecretsInLines } from "#core/secrets/mask-secret-formats.ts";
import type { ChangeView } from "#ports/change-view.ts";
import { readRepositoryText } from "#reviewers/model/repository-text.ts";

/** What a conversation sends besides the change; the benchmark of tokens says 582. */
const fixedTokens = 560;
/** The estimate for code is up to so much too high; less would miss the cache now and then. */
const estimateMargin = 1.5;
const filesMax = 3;
/** Lines around a hunk; the next is tried where one gives too little. */
const reaches = [5, 10, 20, 40, 80, 160, 320] as const;

/** A line can be as large as its file. */
const lineCharactersMax = 200;

/** Below the cache's length each turn pays for the whole prompt: a few lines more cost less. Empty if none would help. */
export async function readSurroundingCode(
  view: Pick<ChangeView, "readFile">,
  shown: Diff,
  { cacheTokensMin, promptTokens }: { readonly cacheTokensMin: number; readonly promptTokens: number },
): Promise<string> {
  const wanted = Math.ceil((cacheTokensMin - fixedTokens) * estimateMargin) - promptTokens;
  if (wanted <= 0) return "";
  const views: FileView[] = [];
  for (const file of shown.files.filter(({ kind }) => kind === "modified" || kind === "renamed").slice(0, filesMax)) {
    const text = await readRepositoryText(view, { side: "new", path: file.path });
    if (text === null) continue;
    // As a whole: a part of a secret does not look like one.
    const lines = maskSecretsInLines(text, file.path).split("\n");
    views.push({ path: file.path, lines, hunks: rangesOf(shown, file) });
  }
  for (const reach of reaches) {
    const text = views.map((one) => linesAround(one, reach)).join("");
    if (estimateTokens(text) >= wanted) return cutAfter(text, wanted);
  }
  return "";
}

interface FileView {
  readonly path: string;
  readonly lines: readonly string[];
  readonly hunks: readonly Range[];
}

interface Range {
  readonly first: number;
  readonly last: number;
}

function rangesOf(shown: Diff, file: DiffFile): readonly Range[] {
  return hunksOf(shown, file).map((hunk) => ({ first: firstLine(hunk, "new"), last: lineAfter(hunk, "new") - 1 }));
}

function linesAround({ path, lines, hunks }: FileView, reach: number): string {
  const written: string[] = [];
  let last = 0;
  for (const [index, line] of lines.entries()) {
    const number = index + 1;
    const isInside = hunks.some((hunk) => number >= hunk.first && number <= hunk.last);
    const isNear = hunks.some((hunk) => number >= hunk.first - reach && number <= hunk.last + reach);
    if (isInside || !isNear) continue;
    if (number !== last + 1) written.push(`@@ ${number}`);
    written.push(` ${line.slice(0, lineCharactersMax)}`);
    last = number;
  }
  return written.length === 0 ? "" : `=== ${path.replace(/[\n\r\t]/g, " ")}\n${written.join("\n")}\n`;
}

function cutAfter(text: string, tokens: number): string {
  let end = text.indexOf("\n");
  while (end !== -1 && estimateTokens(text.slice(0, end)) < tokens) end = text.indexOf("\n", end + 1);
  return end === -1 ? text : text.slice(0, end);
}
