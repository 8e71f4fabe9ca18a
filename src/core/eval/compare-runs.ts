import { signTest } from "#core/eval/sign-test.ts";

export interface CaseStanding {
  readonly name: string;
  readonly digest: string;
  /** Missed and wrong findings, per attempt; null where it was not judged. */
  readonly mistakes: number | null;
}

export interface RunComparison {
  /** The first configuration makes fewer mistakes in these; then more, then as many. */
  readonly better: readonly ComparedCase[];
  readonly worse: readonly ComparedCase[];
  readonly same: readonly ComparedCase[];
  readonly notCompared: readonly { readonly name: string; readonly why: NotComparedWhy }[];
  /** Of the sign test; null where no case differs. */
  readonly chance: number | null;
}

export interface ComparedCase {
  readonly name: string;
  readonly mistakes: number;
  readonly otherMistakes: number;
}

export type NotComparedWhy = "missing" | "changed" | "not_judged";

/** Averages of thirds do not add up to the last digit. */
const sameMax = 1e-9;

/** Case by case: a set is small, and cases differ more from each other than configurations do. */
export function compareRuns(ours: readonly CaseStanding[], others: readonly CaseStanding[]): RunComparison {
  const byName = new Map(others.map((other) => [other.name, other]));
  const compared: ComparedCase[] = [];
  const notCompared: { readonly name: string; readonly why: NotComparedWhy }[] = [];
  for (const { name, digest, mistakes } of ours) {
    const other = byName.get(name);
    byName.delete(name);
    if (other === undefined) notCompared.push({ name, why: "missing" });
    else if (other.digest !== digest) notCompared.push({ name, why: "changed" });
    else if (mistakes === null || other.mistakes === null) notCompared.push({ name, why: "not_judged" });
    else compared.push({ name, mistakes, otherMistakes: other.mistakes });
  }
  for (const name of byName.keys()) notCompared.push({ name, why: "missing" });
  const better = compared.filter(({ mistakes, otherMistakes }) => mistakes < otherMistakes - sameMax);
  const worse = compared.filter(({ mistakes, otherMistakes }) => mistakes > otherMistakes + sameMax);
  const same = compared.filter((one) => !better.includes(one) && !worse.includes(one));
  return { better, worse, same, notCompared, chance: signTest({ better: better.length, worse: worse.length }) };
}
