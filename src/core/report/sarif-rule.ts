import { codeSpan } from "#core/words/plain-text.ts";

export interface RuleFacts {
  readonly name: string;
  readonly title: string;
  readonly score: number;
  readonly catches: string;
  readonly example: string;
}

/** The level is said with the result, since scores differ. */
export function sarifRule(name: string, facts: RuleFacts | undefined) {
  if (facts === undefined) return { id: name, name, shortDescription: { text: name }, help: { text: name } };
  const { title, catches, example } = facts;
  return {
    id: name,
    name: pascalCase(name),
    shortDescription: { text: title },
    fullDescription: { text: catches },
    help: { text: `${catches} Example: ${example}`, markdown: `${catches}\n\nExample: ${codeSpan(example)}` },
    properties: { precision: "high", tags: ["drover"] },
  };
}

/** As the specification would have a name: one opaque word. */
function pascalCase(name: string): string {
  return name
    .split("-")
    .map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)
    .join("");
}
