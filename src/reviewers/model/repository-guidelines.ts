import { estimateTokens } from "#core/prompt/token-estimate.ts";
import type { ChangeView } from "#ports/change-view.ts";
import { readRepositoryText } from "#reviewers/model/repository-text.ts";

/** Where projects say, for people and machines, how their code should be. */
const ruleFiles = ["AGENTS.md", "CLAUDE.md"] as const;

export interface FittedText {
  readonly text: string;
  readonly isCut: boolean;
}

/** At the merge base: the head's changes to them do not hold yet. */
export async function readRepositoryGuidelines(view: ChangeView, tokensMax: number): Promise<FittedText> {
  const texts: string[] = [];
  for (const path of ruleFiles) {
    const text = (await readRepositoryText(view, { side: "old", path }))?.trim() ?? "";
    // One of the files often says no more than the name of the other.
    const isReference = text.length < referenceCharactersMax && ruleFiles.some((name) => text.includes(name));
    if (text !== "" && !isReference && !texts.includes(text)) texts.push(text);
  }
  return fitText(texts.join("\n\n"), tokensMax);
}

const referenceCharactersMax = 200;

export function fitText(text: string, tokensMax: number): FittedText {
  const near = text.slice(0, tokensMax * charactersPerTokenMax);
  const kept: string[] = [];
  let tokens = 0;
  for (const line of near.split("\n")) {
    tokens += estimateTokens(`${line}\n`);
    if (tokens > tokensMax) return { text: kept.join("\n"), isCut: true };
    kept.push(line);
  }
  return { text: kept.join("\n"), isCut: near.length < text.length };
}

/** No text that people write has more characters to a token. */
const charactersPerTokenMax = 16;
