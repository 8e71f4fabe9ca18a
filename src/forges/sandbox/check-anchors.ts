import { decodeText } from "#core/diff/decode-text.ts";
import { type Diff, parseDiff } from "#core/diff/diff.ts";
import { firstLine, hunksOf } from "#core/diff/hunk.ts";
import { findHunk } from "#core/diff/line-map.ts";
import type { HeadSha } from "#core/model/ids.ts";
import { newestOf, type PullEntry, type World } from "#forges/sandbox/world.ts";
import type { ReviewRemark } from "#ports/forge.ts";

export async function areAnchored(
  world: World,
  entry: PullEntry,
  { remarks, commit }: { readonly remarks: readonly ReviewRemark[]; readonly commit: HeadSha },
): Promise<readonly boolean[]> {
  const diff = await diffOf(world, entry, commit);
  return remarks.map((remark) => diff !== null && isAnchored(diff, remark));
}

/** It ends with the remark's last line, and may begin after the hunk's start. */
export async function hunksAbove(
  world: World,
  entry: PullEntry,
  { remarks, commit }: { readonly remarks: readonly ReviewRemark[]; readonly commit: HeadSha },
): Promise<readonly string[]> {
  const diff = remarks.length === 0 ? null : await diffOf(world, entry, commit);
  return remarks.map((remark) => (diff === null ? "" : hunkAbove(diff, remark, world.quirks.hunkLinesMax)));
}

function hunkAbove(diff: Diff, { path, side, lines }: ReviewRemark, linesMax: number | null): string {
  for (const file of diff.files) {
    if ((file.newPath ?? file.oldPath)?.text !== path) continue;
    const hunk = hunksOf(diff, file)[findHunk(hunksOf(diff, file), { side, line: lines.last }) ?? -1];
    if (hunk === undefined) continue;
    const [header = "", ...body] = decodeText(diff.bytes.subarray(hunk.start, hunk.end)).trimEnd().split("\n");
    const shown = untilLine(body, { side, count: lines.last - firstLine(hunk, side) + 1 });
    // The header goes on counting the lines of the whole hunk.
    return [header, ...(linesMax === null ? shown : shown.slice(-linesMax))].join("\n");
  }
  return "";
}

function untilLine(
  body: readonly string[],
  { side, count }: { readonly side: ReviewRemark["side"]; readonly count: number },
): readonly string[] {
  const other = side === "new" ? "-" : "+";
  let seen = 0;
  for (const [index, line] of body.entries()) {
    if (!line.startsWith(other) && !line.startsWith("\\")) seen++;
    if (seen === count) return body.slice(0, index + 1);
  }
  return body;
}

/** Read once for each pair of commits, and only for a remark on a line. */
async function diffOf({ host }: World, entry: PullEntry, head: HeadSha): Promise<Diff | null> {
  const { repository } = entry;
  const base = newestOf(entry).base.tip;
  const pair = `${base}:${head}`;
  const known = repository.diffs.get(pair);
  if (known !== undefined) return known;
  const read = await host.diff({ repository: repository.ref.name, base, head });
  const outcome = read === undefined ? undefined : parseDiff(read.bytes);
  const diff = outcome?.kind === "diff" ? outcome.diff : null;
  repository.diffs.set(pair, diff);
  return diff;
}

function isAnchored(diff: Diff, { path, side, lines }: ReviewRemark): boolean {
  if (lines.first > lines.last) return false;
  for (const file of diff.files) {
    if ((file.newPath ?? file.oldPath)?.text !== path) continue;
    const hunks = hunksOf(diff, file);
    const hunk = findHunk(hunks, { side, line: lines.last });
    if (hunk !== undefined && hunk === findHunk(hunks, { side, line: lines.first })) return true;
  }
  return false;
}
