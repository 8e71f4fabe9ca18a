import { lstat, readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { type CaseProblem, caseFileName, diffFileName } from "#app/eval/case-part.ts";
import { readCase, type SetCase } from "#app/eval/read-case.ts";
import { StartError } from "#app/start-error.ts";
import { compareText } from "#core/compare-text.ts";

export interface EvalSet {
  readonly cases: readonly SetCase[];
  readonly problems: readonly CaseProblem[];
}

const setLimits = { casesMax: 5_000, depthMax: 4 } as const;

/** A folder that is no case may hold cases. A case is read alone. */
export async function readSet(folder: string): Promise<EvalSet> {
  const found = await lstat(folder).catch(() => undefined);
  if (found?.isDirectory() !== true)
    throw new StartError(`there is no folder ${folder} that could hold a set of cases.`);
  const names = await findCases(folder, { name: "", depth: 0 });
  if (names.length === 0) {
    throw new StartError(
      `${folder} holds no case. A case is a folder with a ${diffFileName} and a ${caseFileName} in it.`,
    );
  }
  if (names.length > setLimits.casesMax) {
    throw new StartError(`${folder} holds ${names.length} cases, more than ${setLimits.casesMax}. Use a part of it.`);
  }
  const cases: SetCase[] = [];
  const problems: CaseProblem[] = [];
  for (const name of names) {
    const read = await readCase(join(folder, name), name === "" ? basename(folder) : name);
    if (read.kind === "read") cases.push(read.case);
    else problems.push(...read.problems);
  }
  return { cases, problems };
}

async function findCases(
  folder: string,
  { name, depth }: { readonly name: string; readonly depth: number },
): Promise<readonly string[]> {
  const entries = await readdir(join(folder, name), { withFileTypes: true });
  const isCase = entries.some((entry) => entry.name === caseFileName || entry.name === diffFileName);
  if (isCase) return [name];
  if (depth === setLimits.depthMax) return [];
  const below = entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .map((entry) => (name === "" ? entry.name : `${name}/${entry.name}`));
  const found = await Promise.all(below.map((each) => findCases(folder, { name: each, depth: depth + 1 })));
  return found.flat().toSorted(compareText);
}
