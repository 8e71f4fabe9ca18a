import { detectInjection } from "#core/prompt/detect-injection.ts";
import type { PromptPart } from "#ports/agent.ts";

/** Titles of what was written by others and seems to give orders to a model. */
export function suspectParts(prompt: readonly PromptPart[]): readonly string[] {
  return prompt.flatMap((part) => (part.kind === "data" && seemsOrdered(part.text) ? [part.title] : []));
}

/** The numbers before lines of code are ours, and would keep an order from beginning there. */
function seemsOrdered(text: string): boolean {
  return [text, text.replace(/^\d{1,9}: /gm, "")].some((one) => detectInjection(one).places.length > 0);
}
