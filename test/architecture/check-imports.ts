import { CORE_ROWS, FAMILIES, FOR_TESTS, INNER_PACKAGES, LAYERS, type Layer, OPTIONAL_FEATURES } from "./map.ts";
import { type Import, readImports } from "./read-imports.ts";
import { isTest, type Source, type Violation, violationAt } from "./source.ts";

/** Holds every import of every file against the map. */
export function checkImports(sources: readonly Source[]): readonly Violation[] {
  return sources.flatMap((source) => [...checkPlace(source), ...checkEachImport(source)]);
}

/** Every file of src lies in a folder that is on the map. */
function checkPlace(source: Source): readonly Violation[] {
  const folder = folderOf(source.path);
  if (!source.path.startsWith("src/")) {
    return [];
  }
  const what = placeProblem(source.path, folder);
  return what === undefined ? [] : [violationAt(source, source.program, what)];
}

function placeProblem(path: string, folder: string | undefined): string | undefined {
  if (folder === undefined) {
    return "lies in no layer";
  }
  if (!LAYERS.has(folder)) {
    return `the folder src/${folder} is not on the map`;
  }
  const row = coreRow(path.slice("src/".length));
  return row === -1 ? `the folder ${path.split("/").slice(0, 3).join("/")} is in no row of core` : undefined;
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
    return isAllowed
      ? (siblingProblem(path, target) ?? rowProblem(path, target) ?? featureProblem(path, target))
      : `${own} may not import ${folder} (${specifier})`;
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

/** Inside core, a folder imports itself and the rows below its own. */
function rowProblem(path: string, target: string): string | undefined {
  const from = path.slice("src/".length);
  const [own, wanted] = [coreRow(from), coreRow(target)];
  const isSameFolder = folderInCore(from) === folderInCore(target);
  if (isTest(path) || own === undefined || wanted === undefined || isSameFolder || wanted < own) {
    return undefined;
  }
  return `${folderInCore(from)} may not import ${folderInCore(target)}: it is in no lower row of core`;
}

/** A feature that can be left out is imported by its own folders and by a few named files. */
function featureProblem(path: string, target: string): string | undefined {
  const from = path.slice("src/".length);
  const feature = OPTIONAL_FEATURES.find(({ folders }) => folders.some((folder) => target.startsWith(`${folder}/`)));
  if (feature === undefined || isTest(path)) {
    return undefined;
  }
  const places = [...feature.folders.map((folder) => `${folder}/`), ...feature.importers];
  const isNamed = places.some((place) => (place.endsWith("/") ? from.startsWith(place) : from === place));
  return isNamed ? undefined : `${from} may not import ${target}: that is a feature that can be left out`;
}

/** Nothing outside of core, 0 for files that lie directly in it, and -1 for a folder that is in no row. */
function coreRow(path: string): number | undefined {
  const [layer, folder = "", ...rest] = path.split("/");
  if (layer !== "core") {
    return undefined;
  }
  const row = CORE_ROWS.findIndex((folders) => folders.includes(folder));
  return rest.length === 0 ? 0 : row === -1 ? -1 : row + 1;
}

function folderInCore(path: string): string {
  return path.split("/").slice(0, -1).slice(0, 2).join("/");
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
