import type { DeliveryMode, ExpectedTokens } from "#ports/model.ts";
import type { ReviewLimits } from "#reviewers/model/review-settings.ts";

/** Find, look, verify; a batch has no turn that looks around. */
const turns = { now: 3, batch: 2 } as const;

/** Thinking included. Most answers are a tenth; a model that reasons takes thousands of tokens to find nothing. */
const answerTokens = 4_000;
/** Per conversation. A model that looks around for longer is stopped before the next part of the change. */
const toolRounds = 8;
const toolCallTokens = 150;
const toolAnswerTokens = 1_500;
const talkToolRounds = 4;
/** Words of system, turns and shape; measured by the benchmark of tokens, and rounded up. */
export const fixedTokens = 1_500;

/** Rather too much: it is reserved, and freed when the conversation ends. `promptTokens`: the diff, the rules, the rest. */
export function conversationTokens(
  promptTokens: number,
  {
    limits,
    delivery,
  }: { readonly limits: Pick<ReviewLimits, "answerTokensMax" | "lookedTokensMax">; readonly delivery: DeliveryMode },
): ExpectedTokens {
  const prompt = promptTokens + fixedTokens;
  const answer = Math.min(answerTokens, limits.answerTokensMax);
  const said = turns[delivery] * answer;
  // Whether a cache is met hours later is chance.
  if (delivery === "batch") return { fresh: turns.batch * prompt + said, cached: 0, out: said };
  const looked = toolRounds * toolCallTokens + Math.min(toolRounds * toolAnswerTokens, limits.lookedTokensMax);
  const requests = turns.now + toolRounds;
  return {
    // All is new once, then cached: on average half of what is said on the way.
    fresh: prompt + looked + said,
    cached: (requests - 1) * (prompt + Math.ceil((looked + said) / 2)),
    out: said + toolRounds * toolCallTokens,
  };
}

/** `promptTokens`: all that it is shown and asked. */
export function talkTokens(
  promptTokens: number,
  limits: Pick<ReviewLimits, "answerTokensMax" | "talkLookedTokensMax">,
): ExpectedTokens {
  const prompt = promptTokens + fixedTokens;
  const answer = Math.min(answerTokens, limits.answerTokensMax);
  const shown = Math.min(talkToolRounds * toolAnswerTokens, limits.talkLookedTokensMax);
  const looked = talkToolRounds * toolCallTokens + shown;
  return {
    // Whether a review has been there within the last minutes is chance.
    fresh: prompt + looked,
    cached: talkToolRounds * (prompt + Math.ceil(looked / 2)),
    out: answer + talkToolRounds * toolCallTokens,
  };
}
