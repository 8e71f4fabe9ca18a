import type { SaidVerdict } from "#reviewers/model/review-answer.ts";

/** Scores mean the same within a band: minor, should be mended, must not be merged, disaster. */
const bandTops = [4, 6, 8, 10] as const;

export type Weighed =
  | { readonly kind: "kept"; readonly score: number; readonly assessment: string; readonly isVerified: boolean }
  | { readonly kind: "dropped"; readonly why: string };

/**
 * The third turn may lower a score or drop the finding, not raise it above its band: nothing checks its verdict. In doubt a
 * finding falls by a band. Contradicting verdicts keep it: the worst is a remark too many.
 */
export function weighFinding(score: number, verdicts: readonly SaidVerdict[]): Weighed {
  const found = wholeScore(score);
  const weighed = verdicts.map((verdict) => weighOnce(found, verdict));
  const kept = weighed.filter((one) => one.kind === "kept").toSorted((left, right) => right.score - left.score)[0];
  return kept ?? weighed[0] ?? { kind: "kept", score: found, assessment: "", isVerified: false };
}

function weighOnce(found: number, { holds, score, why }: SaidVerdict): Weighed {
  if (holds === "no") return { kind: "dropped", why };
  const band = bandTops.findIndex((top) => found <= top);
  const most = holds === "yes" ? bandTops[band] : Math.min(found, bandTops[band - 1] ?? 1);
  return { kind: "kept", score: Math.min(wholeScore(score), most ?? found), assessment: why, isVerified: true };
}

export function wholeScore(said: number): number {
  return Number.isFinite(said) ? Math.min(10, Math.max(1, Math.round(said))) : 1;
}
