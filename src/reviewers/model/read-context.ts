import type { Diff } from "#core/diff/diff.ts";
import { sanitise } from "#core/prompt/sanitise.ts";
import { estimateTokens } from "#core/prompt/token-estimate.ts";
import type { ChangeView } from "#ports/change-view.ts";
import { fitText, readRepositoryGuidelines } from "#reviewers/model/repository-guidelines.ts";
import type { ReviewLimits } from "#reviewers/model/review-settings.ts";
import { readSurroundingCode } from "#reviewers/model/surrounding-code.ts";

/** What a model is told beside the diff. */
export interface PromptContext {
  readonly rules: string;
  readonly about: string;
  readonly around: string;
  /** Sentences about what did not fit. */
  readonly notes: readonly string[];
}

export interface Shown {
  readonly shown: Diff;
  /** Of all calls, estimated. */
  readonly diffTokens: number;
  /** The shortest beginning that a cache keeps; undefined if unknown, or if the prompt is sent only once. */
  readonly cacheTokensMin: number | undefined;
}

/** Rejects where the repository cannot be read. */
export async function readContext(
  view: ChangeView,
  { rulesTokensMax, aboutTokensMax }: Pick<ReviewLimits, "rulesTokensMax" | "aboutTokensMax">,
  { shown, diffTokens, cacheTokensMin }: Shown,
): Promise<PromptContext> {
  const rules = await readRepositoryGuidelines(view, rulesTokensMax);
  const about = fitText(aboutText(view), aboutTokensMax);
  const promptTokens = diffTokens + estimateTokens(rules.text) + estimateTokens(about.text);
  return {
    rules: rules.text,
    about: about.text,
    around:
      cacheTokensMin === undefined ? "" : await readSurroundingCode(view, shown, { cacheTokensMin, promptTokens }),
    notes: [
      ...(rules.isCut ? ["The rules of the repository did not fit; only their beginning was read."] : []),
      ...(about.isCut ? ["The description of the pull did not fit; only its beginning was read."] : []),
    ],
  };
}

/** Sanitised before it is cut: a cut could open a comment that the author had closed. */
function aboutText({ about }: ChangeView): string {
  if (about === undefined) return "";
  return [about.title, about.description]
    .map((text) => sanitise(text).trim())
    .filter((text) => text !== "")
    .join("\n\n");
}
