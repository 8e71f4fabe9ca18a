import type { EvalCase } from "#core/eval/eval-case.ts";
import { type CaseResult, type EvalRun, isBlockingIn } from "#core/eval/eval-run.ts";
import type { Judged } from "#core/eval/judge-findings.ts";
import { judgedBy, judgedTogether } from "#core/eval/merge-passes.ts";

export interface Counts {
  readonly looks: number;
  readonly expected: number;
  readonly found: number;
  /** Found, with a lower score than the case asks for. */
  readonly underrated: number;
  readonly accepted: number;
  readonly wrong: number;
  /** Among the wrong ones: those that say again what was said. */
  readonly repeats: number;
  /** Among the wrong ones: those that would have stopped the pull. */
  readonly wrongBlocking: number;
  /** Expected with a score that blocks; of these found at all, and found as something that blocks. */
  readonly blockers: number;
  readonly blockersFound: number;
  readonly blockersBlocked: number;
}

export const noCounts: Counts = {
  looks: 0,
  expected: 0,
  found: 0,
  underrated: 0,
  accepted: 0,
  wrong: 0,
  repeats: 0,
  wrongBlocking: 0,
  blockers: 0,
  blockersFound: 0,
  blockersBlocked: 0,
};

function addCounts(left: Counts, right: Counts): Counts {
  return {
    looks: left.looks + right.looks,
    expected: left.expected + right.expected,
    found: left.found + right.found,
    underrated: left.underrated + right.underrated,
    accepted: left.accepted + right.accepted,
    wrong: left.wrong + right.wrong,
    repeats: left.repeats + right.repeats,
    wrongBlocking: left.wrongBlocking + right.wrongBlocking,
    blockers: left.blockers + right.blockers,
    blockersFound: left.blockersFound + right.blockersFound,
    blockersBlocked: left.blockersBlocked + right.blockersBlocked,
  };
}

type Weights = Pick<EvalRun, "roles" | "thresholds">;

export function countRun(run: EvalRun): Counts {
  return sum(run.cases.map((result) => countCase(run, result)));
}

export function countCase(run: EvalRun, result: CaseResult): Counts {
  return sum(judgedTogether(result, run).map((judged) => countLook(result.case, judged, run)));
}

export function countRole(run: EvalRun, role: string): Counts {
  return sum(
    run.cases.flatMap((result) => judgedBy(result, role).map((judged) => countLook(result.case, judged, run))),
  );
}

export function countTag(run: EvalRun, tag: string): Counts {
  return sum(
    run.cases.flatMap((result) =>
      judgedTogether(result, run).flatMap((judged) => {
        const tagged = result.case.expected.map(({ tags }) => tags.includes(tag));
        const isOfCase = result.case.tags.includes(tag);
        if (!isOfCase && !tagged.includes(true)) return [];
        const part = {
          hits: judged.hits.filter((_, index) => tagged[index]),
          accepted: isOfCase ? judged.accepted : [],
          wrong: isOfCase ? judged.wrong : [],
        };
        const expected = result.case.expected.filter((_, index) => tagged[index]);
        return [countLook({ ...result.case, expected }, part, run)];
      }),
    ),
  );
}

export function tagsOf(run: EvalRun): readonly string[] {
  const tags = run.cases.flatMap((result) => [
    ...result.case.tags,
    ...result.case.expected.flatMap((expected) => expected.tags),
  ]);
  return [...new Set(tags)].toSorted();
}

function countLook({ expected }: EvalCase, { hits, accepted, wrong }: Judged, weights: Weights): Counts {
  const rows = expected.map(({ scoreMin }, index) => ({ scoreMin: scoreMin ?? 0, hit: hits[index] ?? null }));
  const found = rows.flatMap(({ scoreMin, hit }) => (hit === null ? [] : [{ scoreMin, hit }]));
  const isBlocker = ({ scoreMin }: { readonly scoreMin: number }): boolean =>
    scoreMin >= weights.thresholds.blockingScore;
  return {
    looks: 1,
    expected: rows.length,
    found: found.length,
    underrated: found.filter(({ scoreMin, hit }) => hit.score < scoreMin).length,
    accepted: accepted.length,
    wrong: wrong.length,
    repeats: wrong.filter(({ why }) => why === "repeat").length,
    wrongBlocking: wrong.filter(({ finding }) => isBlockingIn(weights, finding)).length,
    blockers: rows.filter(isBlocker).length,
    blockersFound: found.filter(isBlocker).length,
    blockersBlocked: found.filter((one) => isBlocker(one) && isBlockingIn(weights, one.hit)).length,
  };
}

function sum(counts: readonly Counts[]): Counts {
  return counts.reduce((left, right) => addCounts(left, right), noCounts);
}
