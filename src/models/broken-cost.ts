import { estimateTokens } from "#core/prompt/token-estimate.ts";
import type { CallOptions } from "#models/language-model.ts";
import { costOf, type Price } from "#models/price.ts";
import type { ModelCall } from "#ports/model.ts";

interface Broken {
  readonly options: Pick<CallOptions, "prompt" | "tools">;
  /** What was said and thought until then. */
  readonly charactersHeard: number;
  readonly price: Price | undefined;
}

/**
 * About what a call took that the provider had accepted and that broke off: it bills the input, and what it had written,
 * and nobody says how much. Rather too much than too little, since a cap that counts it as nothing is none. What the
 * cache may have served is taken at the full price.
 */
export function brokenCost({
  options,
  charactersHeard,
  price,
}: Broken): Pick<ModelCall, "tokensIn" | "tokensOut" | "costMicroUsd"> {
  const tokensIn = [options.prompt, options.tools ?? []]
    .flatMap(textsIn)
    .reduce((sum, text) => sum + estimateTokens(text), 0);
  const tokensOut = Math.ceil(charactersHeard / tokenCharacters);
  const used = { input: tokensIn, cached: 0, cacheWritten: 0, output: tokensOut };
  // A price for long prompts that nobody has looked up is at least that of short ones.
  const costMicroUsd = price === undefined ? 0 : (costOf(used, price) ?? costOf(used, { ...price, long: null }) ?? 0);
  return { tokensIn, tokensOut, costMicroUsd };
}

/** Fewer than most tokens have. */
const tokenCharacters = 3;

/** All that is said in it. Options of a package, such as signatures of what a model thought, are no words. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inside]) => (key === "providerOptions" ? [] : textsIn(inside)));
}
