import type { AnswerSubject } from "#app/eval/answer-cache.ts";
import type { SetCase } from "#app/eval/read-case.ts";
import type { CaseAnswer } from "#app/eval/review-case.ts";
import type { RunSetOptions } from "#app/eval/run-set.ts";
import type { CasePass } from "#core/eval/eval-run.ts";
import { judgeFindings } from "#core/eval/judge-findings.ts";
import { shownFindings } from "#core/eval/shown-findings.ts";
import { HeadSha } from "#core/model/ids.ts";
import type { ReviewRules } from "#core/model/rules.ts";
import { briefOf } from "#core/review/role-brief.ts";
import type { Reviewer } from "#ports/reviewer.ts";
import { reviewPromptVersion } from "#reviewers/model/review-prompt.ts";

/** One look that is to be made. */
export interface EvalTask {
  readonly setCase: SetCase;
  readonly role: RunSetOptions["roles"][number];
  readonly reviewer: Reviewer;
  readonly attempt: number;
}

/** One attempt at everything before the next one: stopped early, whole attempts are worth more than half of each. */
export function tasksOf({ attempts, cases, roles, reviewers }: RunSetOptions): readonly EvalTask[] {
  return Array.from({ length: attempts }, (_, index) => index + 1).flatMap((attempt) =>
    cases.flatMap((setCase) =>
      roles.flatMap((role) => {
        const reviewer = reviewers[role.reviewer];
        return reviewer === null ? [] : [{ setCase, role, reviewer, attempt }];
      }),
    ),
  );
}

/** By which the answer to a task is known again. */
export function answerSubjectOf(
  { reviews, maker }: RunSetOptions,
  { setCase, role, attempt }: EvalTask,
): AnswerSubject {
  const made = [maker, reviewPromptVersion, role.reviewer, briefOf(reviews, role.name), reviews.excludedPaths];
  return { digest: setCase.seenDigest, role: role.name, attempt, maker: JSON.stringify(made) };
}

export function judgeAnswer(
  { setCase, role, attempt }: EvalTask,
  { outcome, spent }: CaseAnswer,
  reviews: ReviewRules,
): CasePass {
  const common = { role: role.name, attempt, spent };
  if (outcome.kind !== "answered") return { ...common, outcome: { kind: "failed", why: outcome.why } };
  const shown = shownFindings(outcome.findings, { reviews, head: HeadSha.parse(setCase.seenDigest) });
  const judged = judgeFindings(setCase.diff, setCase.case, shown);
  return { ...common, outcome: { kind: "judged", judged, unread: outcome.unread } };
}
