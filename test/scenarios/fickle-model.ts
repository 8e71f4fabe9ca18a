import { decodeText } from "#core/diff/byte-scan.ts";
import type { Reviewer, ReviewJob } from "#ports/reviewer.ts";
import type { SaidFinding } from "#reviewers/model/review-answer.ts";
import { reviewerOf, says, scriptedModel } from "#testing/model-makers.ts";
import { aReviewer } from "#testing/review-makers.ts";

/** Something wrong with the code, and all that the model has ever to say about it. */
export interface Defect {
  readonly path: string;
  /** Whole lines; they stand nowhere else. */
  readonly code: string;
  /** Each in words of its own: whoever reads one of them knows which defect is meant. */
  readonly tellings: readonly [Telling, ...Telling[]];
}

export type Telling = Pick<SaidFinding, "rule" | "message" | "score">;

/** One defect as it is told in one look. */
export interface Told {
  readonly defect: Defect;
  /** Which of its tellings. */
  readonly telling: number;
  /** In which turn; the second one repeats itself where it should not. */
  readonly turn?: "find" | "look";
  /** What stands in the quote, where it is not the code itself. */
  readonly quote?: string;
  readonly line?: number;
  readonly path?: string;
  readonly score?: number;
  readonly fix?: string;
  /** What the last turn makes of it. */
  readonly holds?: "yes" | "no" | "unsure";
}

/** A look as the model knows it. */
export interface FickleLook {
  readonly role: string;
  /** How many looks of this role there were, this one included. */
  readonly number: number;
  /** Whether the lines are part of the change, added or around what is. */
  readonly shows: (defect: Defect) => boolean;
}

/** The real reviewer in three turns, with a model that says whatever the script has it say about each look. */
export function fickleReviewer(speak: (look: FickleLook) => readonly Told[]): Reviewer {
  const looks = new Map<string, number>();
  return aReviewer(async (job) => {
    const number = (looks.get(job.role) ?? 0) + 1;
    looks.set(job.role, number);
    const told = speak({ role: job.role, number, shows: (defect) => isShown(job, defect) });
    return await reviewerOf(modelSaying(told)).review(job);
  });
}

function isShown({ diff }: ReviewJob, { path, code }: Defect): boolean {
  const lines = decodeText(diff).split("\n");
  const from = lines.indexOf(`+++ b/${path}`);
  const next = lines.findIndex((line, index) => index > from && line.startsWith("diff --git "));
  if (from === -1) return false;
  const own = lines
    .slice(from, next === -1 ? undefined : next)
    .filter((line) => line.startsWith("+") || line.startsWith(" "))
    .map((line) => line.slice(1).trim());
  return `\n${own.join("\n")}\n`.includes(`\n${trimmed(code)}\n`);
}

export function trimmed(code: string): string {
  return code
    .split("\n")
    .map((line) => line.trim())
    .join("\n");
}

function modelSaying(told: readonly Told[]) {
  const numbered = told.map((one, index) => ({ ...one, id: index + 1 }));
  return scriptedModel(({ purpose }) => {
    switch (purpose) {
      case "review_find":
        return says({
          summary: "Orders are read from a file.",
          findings: numbered.filter(({ turn }) => turn !== "look").map(said),
        });
      case "review_look":
        return says({ findings: numbered.filter(({ turn }) => turn === "look").map(said) });
      default:
        return says({
          verdicts: numbered.map((one) => ({
            id: one.id,
            holds: one.holds ?? "yes",
            score: said(one).score,
            why: "",
          })),
        });
    }
  });
}

function said(one: Told & { readonly id: number }): SaidFinding {
  const { defect } = one;
  const telling = defect.tellings[one.telling] ?? defect.tellings[0];
  return {
    id: one.id,
    rule: telling.rule,
    message: telling.message,
    path: one.path ?? defect.path,
    line: one.line ?? 1,
    code: one.quote ?? defect.code,
    score: one.score ?? telling.score,
    fix: one.fix ?? null,
  };
}
