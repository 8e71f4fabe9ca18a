export interface Edit {
  readonly id: string;
  /** Counted from 1, the last one included. */
  readonly first: number;
  readonly last: number;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export type EditRefusal =
  | "out_of_range"
  | "stale"
  /** An earlier suggestion changes some of these lines otherwise. */
  | "overlap"
  | "unchanged";

export interface EditedText {
  readonly text: string;
  readonly applied: readonly string[];
  readonly refused: readonly { readonly id: string; readonly why: EditRefusal }[];
}

/**
 * Edits are about the given text and go in from the bottom up. Of two that meet the first wins; equal ones are one. New
 * lines end like the first that they replace; a missing newline at the end stays missing, unless the last line is now
 * empty.
 */
export function applySuggestions(text: string, edits: readonly Edit[]): EditedText {
  const lines = splitLines(text);
  const accepted: Edit[] = [];
  const twins: string[] = [];
  const refused: EditedText["refused"][number][] = [];
  for (const edit of edits) {
    const why = refusalOf(edit, lines, accepted);
    if (why === "twin") twins.push(edit.id);
    else if (why === null) accepted.push(edit);
    else refused.push({ id: edit.id, why });
  }
  const usualEnd = lines.find(({ end }) => end !== "")?.end ?? "\n";
  const lastEnd = lines.at(-1)?.end;
  for (const edit of accepted.toSorted((one, other) => other.first - one.first)) putIn(lines, edit, usualEnd);
  endAsBefore(lines, lastEnd);
  const taken = new Set([...accepted.map(({ id }) => id), ...twins]);
  return {
    text: lines.map((line) => line.text + line.end).join(""),
    applied: edits.map(({ id }) => id).filter((id) => taken.has(id)),
    refused,
  };
}

interface TextLine {
  readonly text: string;
  readonly end: "\n" | "\r\n" | "";
}

/** As git: a carriage return is part of the end only before a newline. */
function splitLines(text: string): TextLine[] {
  const lines = text.split("\n");
  const last = lines.pop() ?? "";
  const ended = lines.map(
    (line): TextLine => (line.endsWith("\r") ? { text: line.slice(0, -1), end: "\r\n" } : { text: line, end: "\n" }),
  );
  return last === "" ? ended : [...ended, { text: last, end: "" }];
}

function refusalOf(edit: Edit, lines: readonly TextLine[], accepted: readonly Edit[]): EditRefusal | "twin" | null {
  const { first, last, before, after } = edit;
  if (!(first >= 1 && first <= last && last <= lines.length)) return "out_of_range";
  const current = lines.slice(first - 1, last).map((line) => line.text);
  if (!sameLines(before, current)) return "stale";
  if (isThere(edit, lines)) return "unchanged";
  const met = accepted.filter((other) => other.first <= last && first <= other.last);
  if (met.length === 0) return null;
  const isTwin = met.every((other) => other.first === first && other.last === last && sameLines(other.after, after));
  return isTwin ? "twin" : "overlap";
}

/** Else a suggestion that keeps its lines and adds others could be applied again and again. */
function isThere({ first, before, after }: Edit, lines: readonly TextLine[]): boolean {
  for (let kept = 0; kept <= after.length - before.length; kept++) {
    const start = first - 1 - kept;
    if (start < 0 || !sameLines(after.slice(kept, kept + before.length), before)) continue;
    const around = lines.slice(start, start + after.length).map((line) => line.text);
    if (sameLines(after, around)) return true;
  }
  return false;
}

function sameLines(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, index) => line === other[index]);
}

function putIn(lines: TextLine[], { first, last, after }: Edit, usualEnd: TextLine["end"]): void {
  const startEnd = lines[first - 1]?.end ?? "";
  const end = startEnd === "" ? usualEnd : startEnd;
  lines.splice(first - 1, last - first + 1, ...after.map((text): TextLine => ({ text, end })));
}

/** Only when all is put in is the last line known; it ends as the last one did. */
function endAsBefore(lines: TextLine[], end: TextLine["end"] | undefined): void {
  const last = lines.at(-1);
  if (end === "" && last !== undefined && last.text !== "") lines[lines.length - 1] = { ...last, end };
}
