import { createHash } from "node:crypto";
import {
  type CasePart,
  type CaseProblem,
  caseFileName,
  readCaseDiff,
  readCaseFile,
  readSide,
  type SideFiles,
} from "#app/eval/case-part.ts";
import type { CaseTree } from "#app/eval/case-tree.ts";
import type { Diff } from "#core/diff/diff.ts";
import type { Side } from "#core/diff/hunk.ts";
import type { CaseFile } from "#core/eval/case-file.ts";
import type { EvalCase } from "#core/eval/eval-case.ts";
import { locateCase } from "#core/eval/locate-case.ts";
import { Untrusted } from "#core/model/ids.ts";
import type { ReviewJob } from "#ports/reviewer.ts";

export interface SetCase {
  readonly case: EvalCase;
  /** Covers only what a reviewer sees: an answer stays valid while the expectations are still being written. */
  readonly seenDigest: string;
  readonly digest: string;
  readonly diff: Diff;
  readonly about: NonNullable<ReviewJob["about"]>;
  readonly trees: Readonly<Record<Side, CaseTree | null>>;
}

export type ReadCase =
  | { readonly kind: "read"; readonly case: SetCase }
  | { readonly kind: "wrong"; readonly problems: readonly CaseProblem[] };

export async function readCase(folder: string, name: string): Promise<ReadCase> {
  const file = await readCaseFile(folder);
  const diff = await readCaseDiff(folder);
  const known = diff.kind === "read" ? diff.value : null;
  const before = await readSide(folder, "old", known);
  const after = await readSide(folder, "new", known);
  const placed = file.kind === "read" && known !== null ? locateCase(name, file.value, known) : null;
  const problems = [
    ...[file, diff, before, after].flatMap(problemsOf),
    ...(placed?.kind === "wrong" ? placed.problems.map((what) => ({ file: caseFileName, what })) : []),
  ];
  const isWhole = file.kind === "read" && before.kind === "read" && after.kind === "read";
  if (!isWhole || known === null || placed?.kind !== "placed") {
    return { kind: "wrong", problems: problems.map((problem) => ({ ...problem, file: `${name}/${problem.file}` })) };
  }
  const parts = { file: file.value, diff: known, old: before.value, new: after.value };
  return { kind: "read", case: { case: placed.case, ...madeOf(parts) } };
}

function problemsOf(part: CasePart<unknown>): readonly CaseProblem[] {
  return part.kind === "wrong" ? part.problems : [];
}

interface CaseParts {
  readonly file: CaseFile;
  readonly diff: Diff;
  readonly old: SideFiles | null;
  readonly new: SideFiles | null;
}

function madeOf({ file, diff, old, new: next }: CaseParts): Omit<SetCase, "case"> {
  const { title, description, findings, mayAlsoFind } = file;
  const seenDigest = digestOf([title, description, old?.digest ?? null, next?.digest ?? null], diff.bytes);
  return {
    seenDigest,
    digest: digestOf([seenDigest, findings, mayAlsoFind]),
    diff,
    about: { title: Untrusted.parse(title), description: Untrusted.parse(description) },
    trees: { old: old?.tree ?? null, new: next?.tree ?? null },
  };
}

function digestOf(parts: readonly unknown[], bytes: Uint8Array = new Uint8Array()): string {
  return createHash("sha256").update(JSON.stringify(parts)).update(bytes).digest("hex");
}
