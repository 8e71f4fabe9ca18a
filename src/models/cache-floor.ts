import type { ChainEntry } from "#models/model-settings.ts";

/**
 * The shortest beginning of a prompt that a model's provider keeps, where the sources agree on it; undefined where they do
 * not, where it is too long to be reached by showing more, and where nobody knows. As of November 2026.
 */
export function cacheTokensMinOf({ provider, model }: Pick<ChainEntry, "provider" | "model">): number | undefined {
  const [maker, name] = provider === "openrouter" ? readMaker(model) : [provider, model];
  if (maker === "openai") return 1_024;
  return maker === "anthropic" && anthropicEarly.test(name) ? 1_024 : undefined;
}

/** OpenRouter writes the maker before the name, and dots where the maker has dashes. */
function readMaker(model: string): readonly [string, string] {
  const slash = model.indexOf("/");
  return [model.slice(0, Math.max(0, slash)), model.slice(slash + 1).replaceAll(".", "-")];
}

const anthropicEarly = /^claude-(?:sonnet-(?:4|4-0|4-5|5)|opus-4(?:-[018])?)(?:-\d{8}|-latest)?$/;
