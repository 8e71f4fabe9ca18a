import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkImports } from "./check-imports.ts";
import { checkFileShape, checkPageLines, checkTestPlaces } from "./file-shape.ts";
import { findForbiddenGlobals } from "./forbidden-globals.ts";
import { findUnguardedClients } from "./forge-doors.ts";
import { findForgeKindBranches } from "./forge-kinds.ts";
import { findHomonyms, findSynonyms } from "./glossary.ts";
import { LAYERS } from "./map.ts";
import { readImports } from "./read-imports.ts";
import { readPages, readPaths, readSources } from "./read-tree.ts";
import { isTest, type Violation } from "./source.ts";
import { type Weight, weigh } from "./weight.ts";

/**
 * Lower these when the figures fall. A feature that needs more raises them in its own commit, which says why: nobody adds a layer or
 * a file with one reader by accident.
 */
const weightMax: Weight = { lines: 70884, filesWithOneImporter: 249, namesUsedByOneFile: 1294 };

const root = join(import.meta.dirname, "../..");
const sources = readSources(root);

describe("the tree of this project", () => {
  it("is read at all", () => {
    expect(sources.map((source) => source.path)).toContain("src/core/never.ts");
  });

  it("has every folder of src on the map", () => {
    const folders = readdirSync(join(root, "src"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map((folder) => folder.name).filter((name) => !LAYERS.has(name))).toEqual([]);
  });

  it("imports only in the direction of the map", () => {
    expect(show(checkImports(sources))).toEqual([]);
  });

  it("keeps the pure layers pure", () => {
    expect(show(findForbiddenGlobals(sources))).toEqual([]);
  });

  it("keeps its files short, well named and free of barrels, enums and default exports", () => {
    expect(show(checkFileShape(sources))).toEqual([]);
  });

  it("has pages that can be read in a diff", () => {
    const pages = readPages(root);
    expect(pages.map(({ path }) => path)).toContain("README.md");
    expect(show(checkPageLines(pages))).toEqual([]);
  });

  it("has its tests where vitest finds them", () => {
    expect(show(checkTestPlaces(readPaths(root)))).toEqual([]);
  });

  it("opens clients of forges in one place, where they are guarded", () => {
    expect(show(findUnguardedClients(sources))).toEqual([]);
  });

  it("asks the descriptor of a forge and not its kind", () => {
    const forges = readdirSync(join(root, "src/forges"), { withFileTypes: true });
    const kinds = new Set(forges.flatMap((entry) => (entry.isDirectory() ? entry.name : [])));
    expect([...kinds]).toContain("sandbox");
    expect(show(findForgeKindBranches(sources, kinds))).toEqual([]);
  });

  it("has a page in each top folder, of ten lines or so, that names files which are there", () => {
    const folders = ["src", "test"].flatMap((base) =>
      readdirSync(join(root, base), { withFileTypes: true }).flatMap((each) =>
        each.isDirectory() ? `${base}/${each.name}` : [],
      ),
    );
    const paths = new Set(readPaths(root));
    const problems = folders.flatMap((folder) => {
      if (!paths.has(`${folder}/README.md`)) return `${folder} has no README.md`;
      const page = readFileSync(join(root, folder, "README.md"), "utf8");
      const named = Array.from(page.matchAll(/`([\w./-]+\.ts)`/g), ([, file = ""]) => file);
      const missing = named.filter((file) => !paths.has(file) && !paths.has(`${folder}/${file}`));
      const isLong = page.trimEnd().split("\n").length > 12;
      return [
        ...missing.map((file) => `${folder}/README.md names ${file}`),
        ...(isLong ? [`${folder}/README.md is long`] : []),
      ];
    });
    expect(problems).toEqual([]);
  });

  it("does not grow heavier unnoticed", () => {
    const weight = weigh(sources);
    expect(weight.lines).toBeLessThanOrEqual(weightMax.lines);
    expect(weight.filesWithOneImporter).toBeLessThanOrEqual(weightMax.filesWithOneImporter);
    expect(weight.namesUsedByOneFile).toBeLessThanOrEqual(weightMax.namesUsedByOneFile);
  });

  it("has one word for each thing", () => {
    expect(show(findSynonyms(sources))).toEqual([]);
    expect(show(findHomonyms(sources))).toEqual([]);
  });

  it("lists every growing pause in docs/pauses.md", () => {
    const page = readFileSync(join(root, "docs/pauses.md"), "utf8");
    const listed = [...page.matchAll(/`(src\/[^`]+)`/g)].map(([, path = ""]) => path);
    const growing = sources.filter(
      (source) => !isTest(source.path) && readImports(source).some(({ specifier }) => specifier === "#core/backoff.ts"),
    );
    expect(growing.map(({ path }) => path).filter((path) => !listed.includes(path))).toEqual([]);
    expect(listed.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

function show(violations: readonly Violation[]): readonly string[] {
  return violations.map((violation) => `${violation.path}:${violation.line} ${violation.what}`);
}
