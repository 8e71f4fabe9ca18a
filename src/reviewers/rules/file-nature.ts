import { natureOfName } from "#core/files/file-nature.ts";
import { baseName, endingOf } from "#reviewers/rules/language.ts";

/** Only what people wrote is judged as code. */
export type FileNature = "written" | "vendored" | "generated" | "lock";

export function natureOf(path: string, head: readonly string[]): FileNature {
  const named = natureOfName(path);
  if (named === "lock" || named === "vendored") return named;
  return named !== "written" || saysGenerated(head) || isMinified(path, head) ? "generated" : "written";
}

/** Beside the product, so it may print and be rough. */
export function isToolingPath(path: string): boolean {
  return toolingFolder.test(path) || toolingName.test(baseName(path));
}

/** Licences come before a note that the file is generated. */
const headLines = 30;
/** Hand-written lines stay far below; minified code has hardly any shorter ones. */
const minifiedCharactersMin = 1_000;

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

const toolingFolder =
  /(?:^|\/)(?:bin|cli|cmd|scripts?|tools?|tooling|examples?|samples?|bench(?:es|marks?)?|demos?|docs?|playground|sandbox|\.github|tasks|migrations)\//i;

const toolingName =
  /\.config\.[a-z]+$|^\.[a-z]+rc\.[a-z]+$|(?:^|[-_.])(?:cli|script|demo|bench|benchmark|example)\.[a-z]+$|^(?:gulpfile|gruntfile|setup|manage)\./i;
