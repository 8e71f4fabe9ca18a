import { type CST, Lexer, Parser } from "yaml";

/** Of no configuration is it half as much. */
const yamlLimits = {
  /** Words, marks and the blanks between them. Each may be a mistake, and each mistake costs far more than a word. */
  tokensMax: 30_000,
  depthMax: 50,
  /** A few lines of aliases can stand for more text than a machine can hold. */
  aliasesMax: 100,
  keysMax: 1_000,
} as const;

/**
 * What a text has too much of to be read as YAML; undefined where all is well. What makes values out of it calls itself for
 * each level, and where the stack runs out within a regular expression, V8 ends the whole process: a few kilobytes of
 * brackets in one repository's file would end the reviews of all others. It also compares each key with all others
 * beside it, and looks for each alias through everything before. Telling tokens apart does nothing of that.
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

/** Stops at the first that is too many. */
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
