import type { RawFinding } from "#core/model/finding.ts";
import { never } from "#core/never.ts";
import type { ChangedFile } from "#reviewers/rules/changed-file.ts";
import { quoteCharactersMax } from "#reviewers/rules/review-limits.ts";
import type { Hit, Rule } from "#reviewers/rules/rule.ts";

export interface RuleHits {
  readonly rule: Rule;
  readonly hits: readonly Hit[];
}

/** The quote gives a finding its identity and place. Only the rule that found a secret may quote its line. */
export function raiseRuleFindings(file: ChangedFile, found: readonly RuleHits[], role: string): readonly RawFinding[] {
  const secret = new Set(found.filter(({ rule }) => rule.isSecretive).flatMap(({ hits }) => hits.flatMap(linesOf)));
  return found.flatMap(({ rule, hits }) => {
    const shown = rule.isSecretive ? hits : hits.filter((hit) => !linesOf(hit).some((line) => secret.has(line)));
    return shown.map((hit) => raise(file, { rule, hit, role }));
  });
}

function linesOf({ place }: Hit): readonly number[] {
  if (place.kind === "file") return [];
  if (place.kind === "part") return [place.line];
  return Array.from({ length: place.last - place.first + 1 }, (_, index) => place.first + index);
}

function raise(
  file: ChangedFile,
  { rule, hit, role }: { readonly rule: Rule; readonly hit: Hit; readonly role: string },
): RawFinding {
  const numbers = linesOf(hit);
  return {
    role,
    rule: rule.name,
    path: file.path,
    side: hit.place.kind === "file" ? hit.place.side : "new",
    lines: { first: numbers[0] ?? 1, last: numbers.at(-1) ?? 1 },
    snippet: quote(file, hit),
    message: hit.message,
    assessment: "",
    score: hit.score,
    suggestion: hit.suggestion,
  };
}

/** A suggestion is compared with the quoted line, so that is not cut. */
function quote(file: ChangedFile, { place, suggestion }: Hit): string {
  switch (place.kind) {
    case "file":
      return "";
    case "part":
      return wholeCharacters(textAt(file, place.line).slice(place.from, place.to).slice(-quoteCharactersMax));
    case "lines": {
      const text = textsBetween(file, place).join("\n");
      return place.first === place.last && suggestion === null
        ? wholeCharacters(text.slice(0, quoteCharactersMax))
        : text;
    }
    default:
      return never(place);
  }
}

/** A cut through a surrogate pair leaves half a character, which is nowhere in the diff. */
function wholeCharacters(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
}

function textsBetween(
  file: ChangedFile,
  { first, last }: { readonly first: number; readonly last: number },
): readonly string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => textAt(file, first + index));
}

/** Lines are in order and mostly without gaps: halving finds the right one. */
function textAt({ lines }: ChangedFile, number: number): string {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle]?.number ?? 0) < number) low = middle + 1;
    else high = middle;
  }
  return lines[low]?.number === number ? (lines[low]?.text ?? "") : "";
}
