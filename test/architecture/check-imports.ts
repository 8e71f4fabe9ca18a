import { FAMILIES, FOR_TESTS, INNER_PACKAGES, LAYERS, type Layer } from "./map.ts";
import { type Import, readImports } from "./read-imports.ts";
import { isTest, type Source, type Violation, violationAt } from "./source.ts";

/** Holds every import of every file against the map. */
export function checkImports(sources: readonly Source[]): readonly Violation[] {
  return sources.flatMap((source) => [...checkPlace(source), ...checkEachImport(source)]);
}

/** Every file of src lies in a folder that is on the map. */
function checkPlace(source: Source): readonly Violation[] {
  const folder = folderOf(source.path);
  if (!source.path.startsWith("src/") || (folder !== undefined && LAYERS.has(folder))) {
    return [];
  }
  const what = folder === undefined ? "lies in no layer" : `the folder src/${folder} is not on the map`;
  return [violationAt(source, source.program, what)];
}

function checkEachImport(source: Source): readonly Violation[] {
  return readImports(source).flatMap((each) => {
    const what = problemOf(source, each);
    return what === undefined ? [] : [violationAt(source, each.node, what)];
  });
}

function problemOf(source: Source, each: Import): string | undefined {
  const { specifier } = each;
  const isInSource = source.path.startsWith("src/");
  if (specifier === undefined) {
    return isInSource ? "imports something that only the run will tell" : undefined;
  }
  if (specifier === ".." || specifier.startsWith("../")) {
    return `imports ${specifier}: ../ hides the layer, name it with #`;
  }
  if (!isInSource) {
    return undefined;
  }
  if (specifier.startsWith(".") || specifier.startsWith("/")) {
    return `imports ${specifier}: name the layer with #`;
  }
  const layer = layerOf(source.path);
  return layer === undefined ? undefined : problemInLayer(source.path, layer, specifier);
}

function problemInLayer(path: string, layer: Layer, specifier: string): string | undefined {
  const own = folderOf(path) ?? "";
  if (specifier.startsWith("#")) {
    const target = specifier.slice(1);
    const folder = target.split("/")[0] ?? "";
    const isAllowed = folder === own || layer.folders.includes(folder);
    return isAllowed ? siblingProblem(path, target) : `${own} may not import ${folder} (${specifier})`;
  }
  if (specifier.startsWith("node:")) {
    const module = specifier.slice("node:".length).split("/")[0] ?? "";
    const isAllowed = isTest(path) || layer.node.includes(module);
    return isAllowed ? undefined : `${own} may not import ${specifier}`;
  }
  const name = packageOf(specifier);
  const inner = INNER_PACKAGES.get(path.split("/").slice(1, 3).join("/")) ?? [];
  return layer.packages.includes(name) || inner.includes(name)
    ? undefined
    : `${own} may not import the package ${name}`;
}

/** Inside a family, a member imports itself and the common ground, and the common ground imports no member. */
function siblingProblem(path: string, target: string): string | undefined {
  for (const family of FAMILIES) {
    const from = memberOf(path.slice("src/".length), family);
    const to = memberOf(target, family);
    if (from !== undefined && to !== undefined && to !== "" && from !== to) {
      return `${from === "" ? family : `${family}/${from}`} may not import its sibling ${family}/${to}`;
    }
  }
  return undefined;
}

/** The member to which a path belongs, empty for the common ground, nothing outside of the family. */
function memberOf(path: string, family: string): string | undefined {
  if (!path.startsWith(`${family}/`)) {
    return undefined;
  }
  const parts = path.slice(family.length + 1).split("/");
  return parts.length > 1 ? parts[0] : "";
}

function layerOf(path: string): Layer | undefined {
  const layer = LAYERS.get(folderOf(path) ?? "");
  if (layer === undefined || !isTest(path)) {
    return layer;
  }
  return {
    folders: [...layer.folders, ...FOR_TESTS.folders],
    packages: [...layer.packages, ...FOR_TESTS.packages],
    node: layer.node,
  };
}

/** The folder of src in which a file lies; nothing for a file directly in src. */
function folderOf(path: string): string | undefined {
  const parts = path.split("/");
  return parts.length > 2 ? parts[1] : undefined;
}

function packageOf(specifier: string): string {
  const parts = specifier.split("/");
  return specifier.startsWith("@") ? parts.slice(0, 2).join("/") : (parts[0] ?? specifier);
}
