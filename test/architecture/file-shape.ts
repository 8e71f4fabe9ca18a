import { isTest, nameOf, partOf, type Source, type SyntaxNode, type Violation, violationAt, walk } from "./source.ts";

const linesMax = 400;
const pageColumnsMax = 120;

/** Names that say nothing about what is inside. The last word of a name counts: `queue-manager` is a manager. */
const VAGUE_NAMES: ReadonlySet<string> = new Set(
  ["util", "common", "helper", "misc", "manager", "service"].flatMap((name) => [name, `${name}s`]),
);

/** The wall in length, names, barrels and forbidden declarations of every file, tests included. */
export function checkFileShape(sources: readonly Source[]): readonly Violation[] {
  return sources.flatMap((source) => [...checkLength(source), ...checkNames(source), ...checkDeclarations(source)]);
}

/**
 * Tests lie beside the file they are about (`x.test.ts`, `x-with-git.test.ts`) or in test/. Vitest looks nowhere else, so a
 * test in any other place, or with any other ending, would never run.
 */
export function checkTestPlaces(paths: readonly string[]): readonly Violation[] {
  const all = new Set(paths);
  return paths.flatMap((path) => {
    const what = placeProblem(path, all);
    return what === undefined ? [] : [{ path, line: 1, what }];
  });
}

interface Page {
  readonly path: string;
  readonly text: string;
}

/** Long lines make diffs of prose unreadable. Tables and code cannot be wrapped, so they may be longer. */
export function checkPageLines(pages: readonly Page[]): readonly Violation[] {
  return pages.flatMap(({ path, text }) => {
    let isCode = false;
    return text.split("\n").flatMap((line, index) => {
      const isFence = line.trimStart().startsWith("```");
      if (isFence) isCode = !isCode;
      if (isCode || isFence || line.trimStart().startsWith("|") || line.length <= pageColumnsMax) return [];
      return [{ path, line: index + 1, what: `${line.length} characters: the wall is ${pageColumnsMax}` }];
    });
  });
}

function checkLength(source: Source): readonly Violation[] {
  const lines = source.text.replace(/\n$/, "").split("\n").length;
  return lines > linesMax
    ? [{ path: source.path, line: linesMax, what: `${lines} lines: the wall is ${linesMax}` }]
    : [];
}

function checkNames(source: Source): readonly Violation[] {
  const names = source.path.split("/").map((part) => part.replace(/\..*$/, ""));
  const vague = names.filter((name) => VAGUE_NAMES.has(name.split("-").at(-1) ?? ""));
  const problems = vague.map((name) => `${name} says nothing about what is inside`);
  const isBarrel = source.path.startsWith("src/") && names.at(-1) === "index";
  const all = isBarrel ? [...problems, "index: a folder is entered through the file named after it"] : problems;
  return all.map((what) => violationAt(source, source.program, what));
}

function checkDeclarations(source: Source): readonly Violation[] {
  if (!source.path.startsWith("src/")) {
    return [];
  }
  const violations: Violation[] = [];
  walk(source.program, (node) => {
    const what = declarationProblem(node);
    if (what !== undefined) {
      violations.push(violationAt(source, node, what));
    }
  });
  return violations;
}

function declarationProblem(node: SyntaxNode): string | undefined {
  switch (node.type) {
    case "TSEnumDeclaration":
      return "an enum: say it as a union";
    case "ExportDefaultDeclaration":
      return "a default export: give it its name";
    case "ExportSpecifier":
      return nameOf(partOf(node, "exported")) === "default" ? "a default export: give it its name" : undefined;
    case "ExportAllDeclaration":
      return "export *: import from the file that has it";
    default:
      return undefined;
  }
}

function placeProblem(path: string, all: ReadonlySet<string>): string | undefined {
  if (/\.spec\.[cm]?[jt]sx?$|\.test\.([cm][jt]s|js|jsx)$|(^|\/)__tests__\//.test(path)) {
    return "never runs: tests are called x.test.ts";
  }
  if (!isTest(path) || path.startsWith("test/")) {
    return undefined;
  }
  if (!path.startsWith("src/") && !path.startsWith("tools/")) {
    return "never runs: tests lie beside a file of src or tools, or in test/";
  }
  return isBesideItsFile(path, all) ? undefined : "lies beside no file of its name";
}

function isBesideItsFile(path: string, all: ReadonlySet<string>): boolean {
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const words = path
    .slice(folder.length)
    .replace(/\.test\.tsx?$/, "")
    .split(/[-.]/);
  return words.some((_word, index) => {
    const stem = `${folder}${words.slice(0, index + 1).join("-")}`;
    return [".ts", ".tsx", ".mjs"].some((ending) => all.has(stem + ending));
  });
}
