import type { Model } from "#ports/model.ts";
import { fixedTokens } from "#reviewers/model/expected-tokens.ts";
import type { ReviewLimits } from "#reviewers/model/review-settings.ts";

/** Diff, tools and three answers must fit: some servers cut a long prompt silently, and the model judges the rest. */
export function fitWindow(limits: ReviewLimits, { contextTokens }: Pick<Model, "contextTokens">): ReviewLimits {
  if (contextTokens === undefined) return limits;
  const usable = Math.floor(contextTokens * usableShare);
  const answerTokensMax = Math.min(limits.answerTokensMax, Math.floor(usable / 8));
  const rulesTokensMax = Math.min(limits.rulesTokensMax, Math.floor(usable / 16));
  const aboutTokensMax = Math.min(limits.aboutTokensMax, Math.floor(usable / 32));
  const rest = usable - fixedTokens - rulesTokensMax - aboutTokensMax - turns * answerTokensMax;
  const callTokensMax = Math.max(1, Math.min(limits.callTokensMax, Math.floor(rest * diffShare)));
  const left = Math.max(0, rest - callTokensMax);
  return {
    ...limits,
    callTokensMax,
    rulesTokensMax,
    aboutTokensMax,
    answerTokensMax,
    lookedTokensMax: Math.min(limits.lookedTokensMax, left),
    talkLookedTokensMax: Math.min(limits.talkLookedTokensMax, left),
  };
}

/** Our estimate is for large vocabularies; smaller ones count up to a quarter more (docs/decisions/prompts.md). */
const usableShare = 0.75;
const diffShare = 0.75;
const turns = 3;
