import type { NearMiss } from "#core/commands/command.ts";
import { readArguments } from "#core/commands/command-arguments.ts";
import { isQuestion, wordsOf } from "#core/commands/line-words.ts";
import { isNameAt, isWordContinued } from "#core/commands/mentions.ts";
import { type CommandWord, commandWords } from "#core/model/records.ts";

/** Longer lines are sentences. */
const lineCharactersMax = 120;

/** Marks around it, a slip in its word, or `[bot]` behind the handle. Never obeyed: its author gets a hint. */
export function readNearMiss(line: string, handle: string): NearMiss | null {
  if (line.length > lineCharactersMax || isQuestion(line)) return null;
  const plain = line
    .trim()
    .replace(itemPrefix, "")
    .replaceAll(/[*_`]+/g, "");
  if (!isNameAt(plain, 0, handle.toLowerCase())) return null;
  const rest = plain.slice(handle.length).replace(/^\[bot\]/i, "");
  if (isWordContinued(rest, 0) || !/^[:,\s]/.test(rest)) return null;
  const [first, second, ...others] = wordsOf(rest.replace(/^[:,]/, " "));
  if (first === undefined) return null;
  if (second === undefined) return meant(closestWord(first.toLowerCase()));
  return meant(fitting(first, [second, ...others]) ?? fitting(`${first}-${second}`, others));
}

/** Marks of lists, tasks and headings. */
const itemPrefix = /^(?:(?:[-*+]|\d{1,9}[.)]|#{1,6})\s+)*(?:\[[ x]\]\s+)?/i;

function meant(word: CommandWord | null): NearMiss | null {
  return word === null ? null : { word };
}

function fitting(word: string, rest: readonly string[]): CommandWord | null {
  const known = commandWords.find((one) => one === word.toLowerCase());
  return known !== undefined && readArguments(known, ` ${rest.join(" ")}`)?.kind === "command" ? known : null;
}

/** Short words allow one slip only, since so many others are close. */
function closestWord(written: string): CommandWord | null {
  let closest: { readonly word: CommandWord; readonly slips: number } | null = null;
  for (const word of commandWords) {
    const slips = slipsBetween(written, word);
    if (slips <= (word.length < longWordMin ? 1 : 2) && slips < (closest?.slips ?? 3)) closest = { word, slips };
  }
  return closest?.word ?? null;
}

const longWordMin = 5;

/** Left out, put in, changed, or swapped with the neighbour. */
function slipsBetween(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 2) return 3;
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row++) {
    const next = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const swapped = isSwapped ? (before[column - 2] ?? 3) + 1 : 3;
      const changed = (last[column - 1] ?? 3) + (isSame ? 0 : 1);
      next.push(Math.min(changed, (last[column] ?? 3) + 1, (next[column - 1] ?? 3) + 1, swapped));
    }
    before = last;
    last = next;
  }
  return last[other.length] ?? 3;
}
