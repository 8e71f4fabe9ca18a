import { type CST, Lexer, Parser } from "yaml";

/** No configuration needs half as much. */
const yamlLimits = {
  /** Words, marks and blanks. Each may be a mistake, and each mistake costs far more than a word. */
  tokensMax: 30_000,
  depthMax: 50,
  /** A few lines of aliases can stand for more text than a machine can hold. */
  aliasesMax: 100,
  keysMax: 1_000,
} as const;

/**
 * The YAML library recurses for each level: a few kilobytes of brackets overflow the stack within a regular expression,
 * where V8 ends the process. It also compares all keys with each other, and searches all text before each alias. The
 * lexer does neither.
 */
export function findYamlLimitExceeded(text: string): string | undefined {
  if (hasManyTokens(text)) return `it has more than ${yamlLimits.tokensMax} words and marks`;
  let level: readonly CST.Token[] = [...new Parser().parse(text)];
  let aliases = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > yamlLimits.depthMax) return "it is nested too deeply";
    aliases += level.filter(({ type }) => type === "alias").length;
    if (aliases > yamlLimits.aliasesMax) return `it has more than ${yamlLimits.aliasesMax} aliases`;
    if (level.some((token) => keysOf(token) > yamlLimits.keysMax)) {
      return `it has more than ${yamlLimits.keysMax} keys in one place`;
    }
    level = level.flatMap(tokensWithin);
  }
  return undefined;
}

function hasManyTokens(text: string): boolean {
  let tokens = 0;
  for (const _ of new Lexer().lex(text)) {
    tokens += 1;
    if (tokens > yamlLimits.tokensMax) return true;
  }
  return false;
}

function keysOf(token: CST.Token): number {
  const isMap = token.type === "block-map" || (token.type === "flow-collection" && token.start.source === "{");
  return isMap ? token.items.length : 0;
}

function tokensWithin(token: CST.Token): readonly CST.Token[] {
  switch (token.type) {
    case "document":
      return token.value === undefined ? [] : [token.value];
    case "block-map":
    case "block-seq":
    case "flow-collection":
      return token.items.flatMap(({ key, value }) => [key ?? [], value ?? []].flat());
    default:
      return [];
  }
}
