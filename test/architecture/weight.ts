import { readImports } from "./read-imports.ts";
import type { Source } from "./source.ts";

/** What the house weighs: code that has to be read, and cuts that only one reader needs. */
export interface Weight {
  /** Of src without tests. */
  readonly lines: number;
  readonly filesWithOneImporter: number;
  /** Exported names that one other file imports. */
  readonly namesUsedByOneFile: number;
}

export function weigh(sources: readonly Source[]): Weight {
  const own = sources.filter(({ path }) => path.startsWith("src/") && !/\.test\.tsx?$/.test(path));
  const importers = new Map<string, Set<string>>();
  const users = new Map<string, Set<string>>();
  for (const source of own) {
    for (const { specifier } of readImports(source)) {
      if (specifier?.startsWith("#") === true) addTo(importers, `src/${specifier.slice(1)}`, source.path);
    }
    for (const [, names = "", path = ""] of source.text.matchAll(namedImport)) {
      for (const name of names.split(",")) {
        const plain = name
          .replace(/\btype\b/, "")
          .trim()
          .split(/\s+as\s+/)[0];
        if (plain !== undefined && plain !== "") addTo(users, `${path}:${plain}`, source.path);
      }
    }
  }
  return {
    lines: own.reduce((sum, { text }) => sum + text.split("\n").length - 1, 0),
    filesWithOneImporter: own.filter(({ path }) => isOne(importers.get(path))).length,
    namesUsedByOneFile: [...users.values()].filter(isOne).length,
  };
}

const namedImport = /import (?:type )?\{([^}]*)\} from "#([^"]+)"/g;

function addTo(map: Map<string, Set<string>>, key: string, by: string): void {
  map.set(key, (map.get(key) ?? new Set()).add(by));
}

function isOne(set: Set<string> | undefined): boolean {
  return set?.size === 1;
}
