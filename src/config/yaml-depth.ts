import { type CST, Parser } from "yaml";

/** No configuration is half as deep. */
const depthMax = 50;

/**
 * Whether there are lists in lists beyond all sense. What makes values out of YAML calls itself for each level, and where
 * the stack runs out within a regular expression, V8 ends the whole process: a few kilobytes of brackets in one
 * repository's file would end the reviews of all others. Telling tokens apart needs no stack.
 */
export function isNestedTooDeep(text: string): boolean {
  let level: readonly CST.Token[] = [...new Parser().parse(text)];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > depthMax) return true;
    level = level.flatMap(tokensWithin);
  }
  return false;
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
