import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type CaseTree, readTree } from "#app/eval/case-tree.ts";
import { parseConfig } from "#config/parse-config.ts";
import { decodeText } from "#core/diff/byte-scan.ts";
import { type Diff, parseDiff } from "#core/diff/diff.ts";
import type { DiffFile } from "#core/diff/diff-file.ts";
import type { Side } from "#core/diff/hunk.ts";
import { indexLines, lineMark, lineText } from "#core/diff/line-index.ts";
import { codeOrText } from "#core/error-code.ts";
import { CaseFile } from "#core/eval/case-file.ts";

export type CasePart<Value> =
  | { readonly kind: "read"; readonly value: Value }
  | { readonly kind: "wrong"; readonly problems: readonly CaseProblem[] };

export interface CaseProblem {
  readonly file: string;
  readonly what: string;
}

export const caseFileName = "case.yml";
export const diffFileName = "change.diff";
const treeNames = { old: "before", new: "after" } as const;

const partLimits = { caseBytesMax: 256 * 1024, diffBytesMax: 16 * 1024 * 1024 } as const;

export async function readCaseFile(folder: string): Promise<CasePart<CaseFile>> {
  const bytes = await readBounded(folder, { file: caseFileName, bytesMax: partLimits.caseBytesMax });
  if (bytes.kind === "wrong") return bytes;
  const parsed = parseConfig(CaseFile, decodeText(bytes.value));
  return parsed.kind === "read" ? parsed : wrong(caseFileName, parsed.problems);
}

export async function readCaseDiff(folder: string): Promise<CasePart<Diff>> {
  const { diffBytesMax } = partLimits;
  const bytes = await readBounded(folder, { file: diffFileName, bytesMax: diffBytesMax });
  if (bytes.kind === "wrong") return bytes;
  const parsed = parseDiff(bytes.value, { limits: { diffBytesMax } });
  if (parsed.kind !== "diff") {
    const place = `byte ${parsed.offset}`;
    return wrong(diffFileName, [`cannot be read (${place}): ${parsed.reason} Make it with \`git diff\`.`]);
  }
  if (parsed.diff.files.length === 0) return wrong(diffFileName, ["is empty. A case needs a change."]);
  return { kind: "read", value: parsed.diff };
}

export interface SideFiles {
  readonly tree: CaseTree;
  readonly digest: string;
}

export async function readSide(folder: string, side: Side, diff: Diff | null): Promise<CasePart<SideFiles | null>> {
  const name = treeNames[side];
  const read = await readTree(join(folder, name));
  if (read.kind === "none") return { kind: "read", value: null };
  if (read.kind === "wrong") return wrong(name, read.problems);
  const problems = diff === null ? [] : await staleFiles(diff, side, read.tree);
  return problems.length === 0 ? { kind: "read", value: read } : { kind: "wrong", problems };
}

/** With files that are not in the diff a reviewer would see two changes at once. */
async function staleFiles(diff: Diff, side: Side, tree: CaseTree): Promise<readonly CaseProblem[]> {
  const problems: CaseProblem[] = [];
  for (const file of diff.files) {
    const path = (side === "new" ? file.newPath : file.oldPath)?.text;
    const place = path === undefined ? undefined : tree.get(path);
    if (place === undefined) continue;
    const line = findStaleLine(diff, file, { side, bytes: new Uint8Array(await readFile(place)) });
    const what = `line ${line} is not what the diff says. Make the diff again.`;
    if (line !== null) problems.push({ file: `${treeNames[side]}/${path}`, what });
  }
  return problems;
}

async function readBounded(
  folder: string,
  { file, bytesMax }: { readonly file: string; readonly bytesMax: number },
): Promise<CasePart<Uint8Array>> {
  const path = join(folder, file);
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return wrong(file, [`is missing. Every case has a ${diffFileName} and a ${caseFileName}.`]);
  if (!found.isFile()) return wrong(file, ["is no plain file."]);
  if (found.size > bytesMax) return wrong(file, [`is larger than ${bytesMax} bytes.`]);
  try {
    return { kind: "read", value: new Uint8Array(await readFile(path)) };
  } catch (error) {
    return wrong(file, [`cannot be read (${codeOrText(error)}).`]);
  }
}

function wrong(file: string, whats: readonly string[]): Extract<CasePart<never>, { readonly kind: "wrong" }> {
  return { kind: "wrong", problems: whats.map((what) => ({ file, what })) };
}

function findStaleLine(
  diff: Diff,
  file: DiffFile,
  { side, bytes }: { readonly side: Side; readonly bytes: Uint8Array },
): number | null {
  if (file.content.kind !== "text") return null;
  const texts = decodeText(bytes).split("\n");
  const lines = indexLines(diff, file);
  const numbers = side === "new" ? lines.newNumbers : lines.oldNumbers;
  const elsewhere = side === "new" ? lineMark.removed : lineMark.added;
  for (let row = 0; row < lines.length; row += 1) {
    const number = numbers[row] ?? 0;
    if (lines.marks[row] !== elsewhere && texts[number - 1] !== lineText(lines, row)) return number;
  }
  return null;
}
