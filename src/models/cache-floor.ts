import type { ChainEntry } from "#models/model-settings.ts";
import { readMaker } from "#models/read-maker.ts";

/** Undefined if unknown, if sources disagree, or if too long to reach by showing more. As of November 2026. */
export function cacheTokensMinOf({ provider, model }: Pick<ChainEntry, "provider" | "model">): number | undefined {
  const made = provider === "openrouter" ? readMaker(model) : { maker: provider, name: model };
  const [maker, name] = [made.maker, made.name.replaceAll(".", "-")];
  if (maker === "openai") return 1_024;
  return maker === "anthropic" && anthropicEarly.test(name) ? 1_024 : undefined;
}

const anthropicEarly = /^claude-(?:sonnet-(?:4|4-0|4-5|5)|opus-4(?:-[018])?)(?:-\d{8}|-latest)?$/;
