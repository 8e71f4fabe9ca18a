import { nameOf, partOf, type Source, type SyntaxNode, stringOf, walk } from "./source.ts";

export interface Import {
  readonly node: SyntaxNode;
  /** Nothing if the specifier is put together at run time: then nobody can say what it imports. */
  readonly specifier: string | undefined;
}

/** Every way in which a file can name another: static, type-only, re-exported, dynamic, in a type, and `require`. */
export function readImports(source: Source): readonly Import[] {
  const imports: Import[] = [];
  walk(source.program, (node) => {
    const specifier = specifierNode(node);
    if (specifier !== undefined) {
      imports.push({ node, specifier: stringOf(specifier) });
    }
  });
  return imports;
}

function specifierNode(node: SyntaxNode): SyntaxNode | undefined {
  switch (node.type) {
    case "ImportDeclaration":
    case "ExportAllDeclaration":
    case "ExportNamedDeclaration":
    case "ImportExpression":
    case "TSImportType":
      return partOf(node, "source");
    case "TSExternalModuleReference":
      return partOf(node, "expression");
    case "CallExpression":
      return nameOf(partOf(node, "callee")) === "require" ? (firstArgument(node) ?? node) : undefined;
    default:
      return undefined;
  }
}

function firstArgument(call: SyntaxNode): SyntaxNode | undefined {
  const first: unknown = Array.isArray(call["arguments"]) ? call["arguments"][0] : undefined;
  return first === undefined ? undefined : partOf({ ...call, first }, "first");
}
