import { nameOf, type Source, type Violation, violationAt, walk } from "./source.ts";

/** Words that others use for things that have one word here. */
const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ["pull request", "pull"],
  ["merge request", "pull"],
  ["pr", "pull"],
  ["mr", "pull"],
  ["source branch", "head"],
  ["target branch", "base"],
  ["discussion", "thread"],
  ["disagreement", "dispute"],
  ["nudge", "poke"],
  ["side effect", "effect"],
]);

/** Finds synonyms in the identifiers and file names of src. The forges speak their own language inside forges/. */
export function findSynonyms(sources: readonly Source[]): readonly Violation[] {
  const ours = sources.filter((source) => source.path.startsWith("src/") && !source.path.startsWith("src/forges/"));
  return ours.flatMap((source) => [...inPath(source), ...inIdentifiers(source)]);
}

function inPath(source: Source): readonly Violation[] {
  const names = source.path.split("/").map((part) => part.replace(/\..*$/, ""));
  const problems = names.flatMap((name) => problemOf(name, name.split("-")) ?? []);
  return problems.map((what) => violationAt(source, source.program, what));
}

function inIdentifiers(source: Source): readonly Violation[] {
  const violations = new Map<string, Violation>();
  walk(source.program, (node) => {
    const name = nameOf(node);
    const what = name === undefined || isForeign(name) ? undefined : problemOf(name, wordsOf(name));
    if (name !== undefined && what !== undefined && !violations.has(name)) {
      violations.set(name, violationAt(source, node, what));
    }
  });
  return [...violations.values()];
}

/** `pull_request` is how a forge spells it on the wire: our own names have no underscores, but for constants. */
function isForeign(name: string): boolean {
  return name.includes("_") && name !== name.toUpperCase();
}

/** `aPullRequestId` and `A_PULL_REQUEST_ID` are the words a, pull, request, id. */
function wordsOf(name: string): readonly string[] {
  const apart = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/([A-Z])([A-Z][a-z])/g, "$1 $2");
  return apart.split(/[ _$]+/).map((word) => word.toLowerCase());
}

function problemOf(name: string, words: readonly string[]): string | undefined {
  const text = ` ${words.map((word) => word.toLowerCase()).join(" ")} `;
  for (const [synonym, word] of SYNONYMS) {
    if (text.includes(` ${synonym} `) || text.includes(` ${synonym}s `)) {
      return `${name}: the word here is ${word}`;
    }
  }
  return undefined;
}

/** Adapters of one family have the same files, with the same names in them. */
const FAMILY = /github|gitea|sandbox|postgres|embedded|pglite|memory|sql|openai|anthropic/g;

/** Of a family too, but in files that are not named alike. */
const FAMILY_NAMES: ReadonlySet<string> = new Set(["setGate", "submitReview"]);

/** Finds names that several files of src export, each for a thing of its own. */
export function findHomonyms(sources: readonly Source[]): readonly Violation[] {
  const declared = new Map<string, Source[]>();
  for (const source of sources.filter(({ path }) => path.startsWith("src/") && !path.endsWith(".test.ts"))) {
    for (const name of new Set(exportedNames(source))) declared.set(name, [...(declared.get(name) ?? []), source]);
  }
  return [...declared].flatMap(([name, files]) => {
    const [first, second] = files;
    const isFamily = new Set(files.map(({ path }) => path.replace(FAMILY, "*"))).size === 1;
    if (first === undefined || second === undefined || isFamily || FAMILY_NAMES.has(name)) return [];
    return [
      violationAt(second, second.program, `${name} is also what ${first.path} exports: give one a name of its own`),
    ];
  });
}

const declaration = /^export (?:async )?(?:function\*?|const|interface|type|class) (\w+)/gm;

function exportedNames({ text }: Source): readonly string[] {
  return [...text.matchAll(declaration)].flatMap(([, name]) => name ?? []);
}
