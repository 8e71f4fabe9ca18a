import type { Diff } from "#core/diff/diff.ts";
import { findingLimits, type RawFinding } from "#core/model/finding.ts";
import { compareFindings } from "#core/review/finding-order.ts";
import { harmlessText } from "#reviewers/model/harmless-text.ts";
import { locateFinding } from "#reviewers/model/locate-finding.ts";
import type { SaidFinding, SaidVerdict } from "#reviewers/model/review-answer.ts";
import { weighFinding } from "#reviewers/model/weigh-finding.ts";

export interface SaidByModel {
  readonly role: string;
  readonly problemScore: number;
  readonly findings: readonly SaidFinding[];
  readonly verdicts: readonly SaidVerdict[];
}

export interface Raised {
  readonly findings: readonly RawFinding[];
  readonly unplaced: readonly SaidFinding[];
  readonly dropped: number;
  readonly belowThreshold: number;
  readonly unverified: number;
}

export function raiseModelFindings(diff: Diff, said: SaidByModel): Raised {
  const findings: RawFinding[] = [];
  const unplaced: SaidFinding[] = [];
  let dropped = 0;
  let belowThreshold = 0;
  let unverified = 0;
  for (const finding of said.findings) {
    const weighed = weighFinding(
      finding.score,
      said.verdicts.filter(({ id }) => id === finding.id),
    );
    const location = weighed.kind === "dropped" ? null : locateFinding(diff, finding);
    if (weighed.kind === "dropped") dropped += 1;
    else if (weighed.score < said.problemScore) belowThreshold += 1;
    else if (location === null) unplaced.push(finding);
    else {
      if (!weighed.isVerified) unverified += 1;
      findings.push({
        ...location,
        role: said.role,
        rule: ruleName(finding.rule),
        message: harmlessText(finding.message, findingLimits.messageCharactersMax) || "The model gave no words.",
        assessment: harmlessText(weighed.assessment, findingLimits.messageCharactersMax),
        score: weighed.score,
      });
    }
  }
  return { findings, unplaced, dropped, belowThreshold, unverified };
}

const ruleCharactersMax = 60;

function ruleName(said: string): string {
  const name = said
    .slice(0, ruleCharactersMax)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return name === "" ? "defect" : name;
}

/** Several conversations may see the same: the worst one stays for each place and rule. */
export function withoutRepeats(findings: readonly RawFinding[]): readonly RawFinding[] {
  const byPlace = new Map<string, RawFinding>();
  for (const finding of findings) {
    const { path, side, lines, rule } = finding;
    const key = JSON.stringify([path, side, lines.first, lines.last, rule]);
    const known = byPlace.get(key);
    if (known === undefined || finding.score > known.score) byPlace.set(key, finding);
  }
  return [...byPlace.values()].toSorted(compareFindings);
}
