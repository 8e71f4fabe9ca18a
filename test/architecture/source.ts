import { parseSync } from "vite";

/** A TypeScript file of the project: its path from the root, with `/`, its text, and its syntax tree. */
export interface Source {
  readonly path: string;
  readonly text: string;
  readonly program: SyntaxNode;
}

/** Any node of the tree. The tree is ESTree with TypeScript's nodes; what a node holds is read by name. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly [part: string]: unknown;
}

export interface Violation {
  readonly path: string;
  readonly line: number;
  readonly what: string;
}

/** Parses with the parser of vite, which knows TypeScript: comments and strings can then never be taken for code. */
export function readSource(file: { readonly path: string; readonly text: string }): Source {
  const { program, errors } = parseSync(file.path, file.text, { sourceType: "module" });
  const first = errors[0];
  if (first !== undefined || !isNode(program)) {
    throw new Error(`${file.path}: ${first?.message ?? "no syntax tree"}`);
  }
  return { path: file.path, text: file.text, program };
}

/** Calls `visit` for every node with its parent and the name of the part in which it stands there. */
export function walk(root: SyntaxNode, visit: (node: SyntaxNode, parent: SyntaxNode, part: string) => void): void {
  for (const [part, value] of Object.entries(root)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) {
        visit(child, root, part);
        walk(child, visit);
      }
    }
  }
}

/** The node in a part of another, if there is one. */
export function partOf(node: SyntaxNode, part: string): SyntaxNode | undefined {
  const value = node[part];
  return isNode(value) ? value : undefined;
}

/** The name of an identifier; nothing for any other node. */
export function nameOf(node: SyntaxNode | undefined): string | undefined {
  const name = node?.type === "Identifier" ? node["name"] : undefined;
  return typeof name === "string" ? name : undefined;
}

/** The value of a string literal; nothing for any other node. */
export function stringOf(node: SyntaxNode | undefined): string | undefined {
  const value = node?.type === "Literal" ? node["value"] : undefined;
  return typeof value === "string" ? value : undefined;
}

export function violationAt(source: Source, node: SyntaxNode, what: string): Violation {
  return { path: source.path, line: source.text.slice(0, node.start).split("\n").length, what };
}

export function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path);
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}
