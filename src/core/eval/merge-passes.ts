import type { CaseResult, EvalRun } from "#core/eval/eval-run.ts";
import type { Judged } from "#core/eval/judge-findings.ts";
import type { RawFinding } from "#core/model/finding.ts";

/** Null while one role has not looked or has failed. */
function joinLooks(
  { looks, case: { expected } }: CaseResult,
  { roles, attempt }: Pick<EvalRun, "roles"> & { readonly attempt: number },
): Judged | null {
  const judged = roles.flatMap(({ name }) => {
    const look = looks.find((each) => each.role === name && each.attempt === attempt);
    return look?.outcome.kind === "judged" ? [look.outcome.judged] : [];
  });
  if (judged.length < roles.length) return null;
  return {
    // What one role has found is found, however often the others find it too.
    hits: expected.map((_, index) => worst(judged.flatMap(({ hits }) => hits[index] ?? []))),
    accepted: judged.flatMap(({ accepted }) => accepted),
    wrong: judged.flatMap(({ wrong }) => wrong),
  };
}

function worst(findings: readonly RawFinding[]): RawFinding | null {
  return findings.toSorted((left, right) => right.score - left.score)[0] ?? null;
}

export function judgedBy({ looks }: CaseResult, role: string): readonly Judged[] {
  return looks.flatMap((look) => (look.role === role && look.outcome.kind === "judged" ? [look.outcome.judged] : []));
}

export function judgedTogether(
  result: CaseResult,
  { roles, attempts }: Pick<EvalRun, "roles" | "attempts">,
): readonly Judged[] {
  return Array.from({ length: attempts }, (_, index) => joinLooks(result, { roles, attempt: index + 1 })).filter(
    (judged) => judged !== null,
  );
}
