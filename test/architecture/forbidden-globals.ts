import { PURE_LAYERS } from "./map.ts";
import {
  isTest,
  nameOf,
  partOf,
  type Source,
  type SyntaxNode,
  stringOf,
  type Violation,
  violationAt,
  walk,
} from "./source.ts";

/** Clock, chance, environment, network, timers, output and promises: what a pure layer may not even name. */
const FORBIDDEN: ReadonlySet<string> = new Set([
  "Date",
  "Temporal",
  "performance",
  "crypto",
  "process",
  "global",
  "globalThis",
  "require",
  "eval",
  "fetch",
  "WebSocket",
  "XMLHttpRequest",
  "setTimeout",
  "setInterval",
  "setImmediate",
  "clearTimeout",
  "clearInterval",
  "clearImmediate",
  "queueMicrotask",
  "console",
  "Promise",
  "PromiseLike",
  "AsyncIterable",
  "AsyncIterator",
  "AsyncIterableIterator",
  "AsyncGenerator",
]);

/** Parts in which an identifier is only a word, by the type of the node that holds it. */
const WORD_PARTS: ReadonlyMap<string, readonly string[]> = new Map([
  ["MemberExpression", ["property"]],
  ["Property", ["key"]],
  ["PropertyDefinition", ["key"]],
  ["AccessorProperty", ["key"]],
  ["MethodDefinition", ["key"]],
  ["TSAbstractMethodDefinition", ["key"]],
  ["TSAbstractPropertyDefinition", ["key"]],
  ["TSPropertySignature", ["key"]],
  ["TSMethodSignature", ["key", "params"]],
  ["TSCallSignatureDeclaration", ["params"]],
  ["TSConstructSignatureDeclaration", ["params"]],
  ["TSFunctionType", ["params"]],
  ["TSConstructorType", ["params"]],
  ["TSIndexSignature", ["parameters"]],
  ["TSMappedType", ["key"]],
  ["TSNamedTupleMember", ["label"]],
  ["TSQualifiedName", ["right"]],
  ["TSImportType", ["qualifier"]],
  ["TSEnumMember", ["id"]],
  ["ImportSpecifier", ["imported"]],
  ["ExportSpecifier", ["exported"]],
  ["ImportAttribute", ["key"]],
  ["MetaProperty", ["meta", "property"]],
  ["LabeledStatement", ["label"]],
  ["BreakStatement", ["label"]],
  ["ContinueStatement", ["label"]],
]);

/** Finds what makes a file of a pure layer depend on anything but its arguments. Tests beside the files are free. */
export function findForbiddenGlobals(sources: readonly Source[]): readonly Violation[] {
  return sources.filter((source) => isPure(source.path)).flatMap(findInSource);
}

function isPure(path: string): boolean {
  const [top, layer] = path.split("/");
  return top === "src" && PURE_LAYERS.has(layer ?? "") && !isTest(path);
}

function findInSource(source: Source): readonly Violation[] {
  const violations: Violation[] = [];
  walk(source.program, (node, parent, part) => {
    const what = problemOf(node, parent, part);
    if (what !== undefined) {
      violations.push(violationAt(source, node, what));
    }
  });
  return violations;
}

function problemOf(node: SyntaxNode, parent: SyntaxNode, part: string): string | undefined {
  switch (node.type) {
    case "Identifier":
      return isWord(parent, part) ? undefined : identifierProblem(node, parent, part);
    case "AwaitExpression":
      return "await in a pure layer";
    case "ImportExpression":
      return "a dynamic import in a pure layer";
    case "MetaProperty":
      return nameOf(partOf(node, "meta")) === "import" ? "import.meta in a pure layer" : undefined;
    case "ForOfStatement":
      return node["await"] === true ? "for await in a pure layer" : undefined;
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ArrowFunctionExpression":
      return node["async"] === true ? "an async function in a pure layer" : undefined;
    default:
      return undefined;
  }
}

/**
 * A binding of a forbidden name is refused like a use: telling the two apart would take the rules of scope, and a reader
 * who meets `process` in the core should not have to look for its declaration either.
 */
function identifierProblem(node: SyntaxNode, parent: SyntaxNode, part: string): string | undefined {
  const name = nameOf(node) ?? "";
  if (FORBIDDEN.has(name)) {
    return `${name} in a pure layer`;
  }
  return name === "Math" && !isPlainMath(parent, part) ? "Math.random, or Math handed on, in a pure layer" : undefined;
}

/** `Math.floor` is fine. Math in any other place may end as chance under another name. */
function isPlainMath(parent: SyntaxNode, part: string): boolean {
  if (parent.type === "TSQualifiedName") {
    return true;
  }
  const property = partOf(parent, "property");
  const name = parent["computed"] === true ? stringOf(property) : nameOf(property);
  return parent.type === "MemberExpression" && part === "object" && name !== undefined && name !== "random";
}

function isWord(parent: SyntaxNode, part: string): boolean {
  return parent["computed"] !== true && WORD_PARTS.get(parent.type)?.includes(part) === true;
}
