import type { Turn } from "#act/turn.ts";
import { detectInjection } from "#core/prompt/detect-injection.ts";
import type { PromptPart } from "#ports/agent.ts";

/** Titles of what was written by others and seems to give orders to a model; none where the rules do not care. */
export function suspectParts({ seen }: Pick<Turn, "seen">, prompt: readonly PromptPart[]): readonly string[] {
  if (seen.rules.reviews.injection === "off") return [];
  return prompt.flatMap((part) =>
    part.kind === "data" && detectInjection(part.text).places.length > 0 ? [part.title] : [],
  );
}
