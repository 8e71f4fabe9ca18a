import type { DeliveryMode, ExpectedTokens } from "#ports/model.ts";
import type { ReviewLimits } from "#reviewers/model/review-settings.ts";

/** Find, look, verify; a batch has no turn that looks around. */
const turns = { now: 3, batch: 2 } as const;

/**
 * What a turn says, what the model thinks included. Most answers are a tenth of it; a model that reasons takes thousands
 * of tokens before it says that there is nothing to find.
 */
const answerTokens = 4_000;
/**
 * Rounds of tools in one conversation. A model that looks around for longer is stopped before the next part of the
 * change.
 */
const toolRounds = 8;
const toolCallTokens = 150;
const toolAnswerTokens = 1_500;
/** Before an answer to a question; most need none. */
const talkToolRounds = 4;
/** The words of the system, of the turns and of the shape; measured by the benchmark of tokens, and rounded up. */
export const fixedTokens = 1_500;

/**
 * What one conversation will take, rather too much than too little: money is set aside by it, and what is not needed
 * is free again when the conversation has ended. `promptTokens` is what is packed for it: the diff, the rules, the rest.
 */
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
    // Everything is new once, and after that the cache has it: on the average half of what is said on the way.
    fresh: prompt + looked + said,
    cached: (requests - 1) * (prompt + Math.ceil((looked + said) / 2)),
    out: said + toolRounds * toolCallTokens,
  };
}

/** What one answer about a change will take, in the same manner. `promptTokens` is all that it is shown and asked. */
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
