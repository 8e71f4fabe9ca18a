import type { Anchor } from "#core/diff/anchor.ts";
import { resolveAnchorInDiff } from "#core/diff/anchor-in-diff.ts";
import type { Diff } from "#core/diff/diff.ts";
import { indexLines, lineMark, lineText } from "#core/diff/line-index.ts";
import { findingLimits, type RawFinding } from "#core/model/finding.ts";
import { restoreHandles } from "#core/prompt/handles.ts";
import { hasHiddenCharacters, restoreHiddenCharacters } from "#core/prompt/hidden-characters.ts";
import { unsanitise } from "#core/prompt/sanitise.ts";
import { holdsSecret, quoteWithoutSecret } from "#reviewers/model/harmless-text.ts";
import type { SaidFinding } from "#reviewers/model/review-answer.ts";

export type FindingLocation = Pick<RawFinding, "path" | "side" | "lines" | "snippet" | "suggestion">;

/** The path and line of a model are hints; its quote is looked for. Null: it is nowhere. */
export function locateFinding(diff: Diff, said: SaidFinding): FindingLocation | null {
  const anchor = findAnchor(diff, said);
  if (anchor.kind === "not_in_diff") return null;
  const { file, side, startLine, endLine } = anchor.range;
  const code = codeAt(diff, anchor.range);
  const isWhole = anchor.likeness === "verbatim" && side === "new";
  return {
    path: file.path,
    side,
    lines: { first: startLine, last: endLine },
    snippet: quote(code),
    suggestion: isWhole ? certainFix(said.fix, code) : null,
  };
}

const codeCharactersMax = 8_000;

function findAnchor(diff: Diff, { path, code, line }: SaidFinding): Anchor {
  const claimedLine = Number.isInteger(line) && line > 0 ? line : undefined;
  const claim = { path, side: "new", claimedLine } as const;
  const snippet = code.slice(0, codeCharactersMax);
  const anchor = resolveAnchorInDiff(diff, { ...claim, snippet });
  // The model saw the code sanitised, so it can only quote it like that.
  const original = restoreHandles(unsanitise(restoreHiddenCharacters(snippet)));
  if (anchor.kind !== "not_in_diff") return anchor;
  const restored = original === snippet ? anchor : resolveAnchorInDiff(diff, { ...claim, snippet: original });
  const mask = original.indexOf("…");
  if (restored.kind !== "not_in_diff" || mask === -1) return restored;
  // Behind the mask was a secret that it never saw: the line begins with what stands before.
  const begun = original.slice(0, mask).split("\n").at(-1) ?? "";
  return resolveAnchorInDiff(diff, { ...claim, snippet: begun });
}

function codeAt(
  diff: Diff,
  { file, side, startLine, endLine }: Extract<Anchor, { readonly range: unknown }>["range"],
): string {
  const lines = indexLines(diff, file);
  const numbers = side === "new" ? lines.newNumbers : lines.oldNumbers;
  const other = side === "new" ? lineMark.removed : lineMark.added;
  const texts: string[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const number = numbers[index] ?? 0;
    if (lines.marks[index] !== other && number >= startLine && number <= endLine) {
      texts.push(lineText(lines, index).replace(/\r$/, ""));
    }
  }
  return texts.join("\n");
}

/** Part of the identity, so cut between lines and always at the same place. */
function quote(code: string): string {
  const shown = quoteWithoutSecret(code);
  if (shown.length <= findingLimits.snippetCharactersMax) return shown;
  const room = shown.slice(0, findingLimits.snippetCharactersMax);
  return room.includes("\n") ? room.slice(0, room.lastIndexOf("\n")) : room.replace(/[\ud800-\udbff]$/, "");
}

/** Whole or not at all, and nothing that a person would not see. */
function certainFix(fix: string | null, code: string): string | null {
  if (fix === null || fix.length > findingLimits.suggestionCharactersMax) return null;
  // What it has read in prose it may write into code, where the other sign would be a mistake.
  const meant = restoreHandles(code) === code ? restoreHandles(fix) : fix;
  const text = meant.replace(/\r\n/g, "\n").replace(/\n$/, "");
  const isClean = !holdsSecret(text) && !holdsSecret(code) && !hasHiddenCharacters(text);
  return isClean && text !== code ? text : null;
}
