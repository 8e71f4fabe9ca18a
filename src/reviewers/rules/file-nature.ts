import { baseName, endingOf } from "#reviewers/rules/language.ts";

/** Who wrote a file: only what people wrote is judged as code. */
export type FileNature = "written" | "vendored" | "generated" | "lock";

/** The lines are those at the top of the file, where there are any. */
export function natureOf(path: string, head: readonly string[]): FileNature {
  if (isLockFile(path)) return "lock";
  if (vendoredFolder.test(path)) return "vendored";
  if (generatedName.test(path) || saysGenerated(head) || isMinified(path, head)) return "generated";
  return "written";
}

function isLockFile(path: string): boolean {
  return lockNames.has(baseName(path));
}

/** Tests and what belongs to them. */
export function isTestPath(path: string): boolean {
  return testFolder.test(path) || testName.test(baseName(path));
}

/** Things beside the product, which may print and be rough: scripts, examples, benchmarks, configuration. */
export function isToolingPath(path: string): boolean {
  return toolingFolder.test(path) || toolingName.test(baseName(path));
}

/** How many lines at the top are looked at for a note that the file is generated; licences come before it. */
const headLines = 30;
/** Lines of code that people write stay far below; minified code has hardly any shorter ones. */
const minifiedCharactersMin = 1_000;

const lockNames: ReadonlySet<string> = new Set([
  "package-lock.json",
  "npm-shrinkwrap.json",
  "yarn.lock",
  "pnpm-lock.yaml",
  "bun.lock",
  "Cargo.lock",
  "go.sum",
  "go.work.sum",
  "poetry.lock",
  "uv.lock",
  "pdm.lock",
  "Pipfile.lock",
  "Gemfile.lock",
  "composer.lock",
  "mix.lock",
  "pubspec.lock",
  "Podfile.lock",
  "packages.lock.json",
  "flake.lock",
  ".terraform.lock.hcl",
  "deno.lock",
]);

const vendoredFolder =
  /(?:^|\/)(?:node_modules|bower_components|vendor|third[-_]party|\.yarn\/(?:releases|plugins|cache))\//i;

const generatedName =
  /(?:\.min\.(?:js|mjs|css)|\.bundle\.js|\.(?:js|css|mjs)\.map|\.pb\.(?:go|cc|h)|_pb2(?:_grpc)?\.pyi?|_pb\.(?:js|d\.ts)|\.g\.dart|\.freezed\.dart|[-_.]generated\.[a-z]+|\.designer\.cs|\.snap)$|(?:^|\/)(?:__generated__|__snapshots__)\/|(?:^|\/)dist\/[^?]*\.(?:[cm]?js|css|d\.[cm]?ts)$/i;

const generatedNote =
  /@generated\b|\bcode generated\b.*\bdo not edit\b|<auto-?generated\b|\bautomatically generated\b.*\bdo not (?:edit|modify)\b|\bgenerated\b.*\bdo not (?:edit|modify)\b/i;

function saysGenerated(head: readonly string[]): boolean {
  return head
    .slice(0, headLines)
    .some((line) => generatedNote.test(line.slice(0, minifiedCharactersMin)) && isNote(line));
}

/** A note stands in a comment; code that looks for the note does not. */
function isNote(line: string): boolean {
  return /^\s*(?:\/\/|\/?\*|#|--|;|<!--|%|"""|''')/.test(line);
}

function isMinified(path: string, head: readonly string[]): boolean {
  return (
    /^(?:js|mjs|cjs|css)$/.test(endingOf(path)) &&
    head.slice(0, headLines).some((line) => line.length >= minifiedCharactersMin)
  );
}

const testFolder =
  /(?:^|\/)(?:tests?|__tests__|specs?|testdata|fixtures?|__fixtures__|mocks?|__mocks__|e2e|cypress|testing|test-utils)\//i;

const testName =
  /\.(?:test|spec|cy|e2e|stories)\.[a-z]+$|_(?:test|spec)\.[a-z]+$|^test_[^/]*\.py$|^conftest\.py$|Tests?\.(?:java|kt|cs|swift|scala|php)$/;

const toolingFolder =
  /(?:^|\/)(?:bin|cli|cmd|scripts?|tools?|tooling|examples?|samples?|bench(?:es|marks?)?|demos?|docs?|playground|sandbox|\.github|tasks|migrations)\//i;

const toolingName =
  /\.config\.[a-z]+$|^\.[a-z]+rc\.[a-z]+$|(?:^|[-_.])(?:cli|script|demo|bench|benchmark|example)\.[a-z]+$|^(?:gulpfile|gruntfile|setup|manage)\./i;
