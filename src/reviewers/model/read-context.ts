import { sanitise } from "#core/prompt/sanitise.ts";
import type { ReviewJob } from "#ports/reviewer.ts";
import { fitText, readRepositoryRules } from "#reviewers/model/repository-rules.ts";
import type { ReviewLimits } from "#reviewers/model/review-settings.ts";

/** What a model is told beside the diff. */
export interface PromptContext {
  readonly rules: string;
  readonly about: string;
  /** Sentences about what did not fit. */
  readonly notes: readonly string[];
}

/** Rejects where the repository cannot be read. */
export async function readContext(
  job: ReviewJob,
  { rulesTokensMax, aboutTokensMax }: Pick<ReviewLimits, "rulesTokensMax" | "aboutTokensMax">,
): Promise<PromptContext> {
  const rules = await readRepositoryRules(job, rulesTokensMax);
  const about = fitText(aboutText(job), aboutTokensMax);
  return {
    rules: rules.text,
    about: about.text,
    notes: [
      ...(rules.isCut ? ["The rules of the repository did not fit; only their beginning was read."] : []),
      ...(about.isCut ? ["The description of the pull did not fit; only its beginning was read."] : []),
    ],
  };
}

/** Sanitised before it is cut: a cut could open a comment that the author had closed. */
function aboutText({ about }: ReviewJob): string {
  if (about === undefined) return "";
  return [about.title, about.description]
    .map((text) => sanitise(text).trim())
    .filter((text) => text !== "")
    .join("\n\n");
}
