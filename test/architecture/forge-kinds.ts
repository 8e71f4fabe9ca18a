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

const table = "src/app/forge/forge-kinds.ts";

/** Files that name a kind for another reason. */
const exempt: ReadonlyMap<string, string> = new Map([
  ["src/cli/commands.ts", "`sandbox` is a command, and its --manner the forge that it imitates"],
]);

/** Expressions in which a kind's name decides something, or stands in a list of kinds. */
const branches: ReadonlySet<string> = new Set([
  "BinaryExpression",
  "SwitchCase",
  "ConditionalExpression",
  "LogicalExpression",
  "ArrayExpression",
  "MemberExpression",
]);
/** `kinds.includes("github")` and its like. */
const questions: ReadonlySet<string> = new Set(["includes", "indexOf", "has", "get", "literal"]);

/**
 * What Drover has to know of a kind of forge is in the descriptor of that kind. Outside of src/forges and the table nobody asks which
 * kind a forge is: that place would have to be found and changed for every further kind.
 */
export function findForgeKindBranches(sources: readonly Source[], kinds: ReadonlySet<string>): readonly Violation[] {
  const asking = sources.filter(({ path }) => path.startsWith("src/") && !path.startsWith("src/forges/"));
  return asking.flatMap((source) => {
    if (source.path === table || exempt.has(source.path) || isTest(source.path)) return [];
    const violations: Violation[] = [];
    walk(source.program, (node, parent, part) => {
      const kind = stringOf(node);
      if (kind === undefined || !kinds.has(kind) || !decides(parent, part)) return;
      violations.push(violationAt(source, node, `branches on the kind ${kind}: ask the forge's descriptor`));
    });
    return [...violations, ...mapsKeyedByKind(source, kinds)];
  });
}

function decides(parent: SyntaxNode, part: string): boolean {
  if (branches.has(parent.type)) return true;
  if (parent.type !== "CallExpression" || part !== "arguments") return false;
  const callee = partOf(parent, "callee");
  return questions.has(nameOf(callee === undefined ? undefined : partOf(callee, "property")) ?? "");
}

/** `{ github: 1, gitea: 2 }`. A property of a type or of a pattern, and `{ sandbox }`, only name a thing. */
function mapsKeyedByKind(source: Source, kinds: ReadonlySet<string>): readonly Violation[] {
  const violations: Violation[] = [];
  walk(source.program, (node, parent) => {
    if (parent.type !== "ObjectExpression" || node.type !== "Property" || node["shorthand"] === true) return;
    const key = partOf(node, "key");
    const kind = nameOf(key) ?? stringOf(key);
    if (kind === undefined || !kinds.has(kind)) return;
    violations.push(violationAt(source, node, `is keyed by the kind ${kind}: ask the forge's descriptor`));
  });
  return violations;
}
