import type { BotMessage, Command, MalformedCommand, NearMiss } from "#core/commands/command.ts";
import { readArguments } from "#core/commands/command-arguments.ts";
import { commandAt, findCommandWord } from "#core/commands/command-word.ts";
import { isQuestion, wordsOf } from "#core/commands/line-words.ts";
import { findMentions, isNameAt, isWordContinued, liveMentions, type TextSpan } from "#core/commands/mentions.ts";
import { isLineBreak, lineEnd, lineStartBefore, nextLine } from "#core/markdown/lines.ts";
import { liveText } from "#core/markdown/live-text.ts";
import { Untrusted } from "#core/model/ids.ts";
import { type CommandWord, commandWords } from "#core/model/records.ts";

/** A command starts with the handle in the raw text: a hidden comment in front must not turn a sentence into one. */
export function readBotMessage(body: Untrusted, handle: string): BotMessage {
  const mentions = findMentions(body, handle);
  if (mentions.length === 0) return nothing;
  const live = liveText(body);
  let command: Command | MalformedCommand | null = null;
  let nearMiss: NearMiss | null = null;
  let isProse = false;
  let namesCommand = false;
  const commandLines: TextSpan[] = [];
  for (const mention of liveMentions(mentions, live)) {
    if (mention.start < (commandLines.at(-1)?.end ?? 0)) continue;
    const start = lineStartBefore(body, mention.start);
    const word = start === null ? null : findCommandWord(body, mention.end);
    const found = word === null ? null : commandAt(live, word);
    namesCommand ||= word !== null;
    if (start !== null && word !== null && found !== null) {
      command ??= found;
      commandLines.push({ start, end: nextLine(body, lineEnd(body, word.end)) });
      continue;
    }
    const missed = nearMissAt(body, mention, handle);
    nearMiss ??= missed;
    isProse ||= missed === null;
  }
  const isMissed = nearMiss !== null && command === null && !isProse;
  return {
    command,
    prose: isProse || nearMiss !== null ? without(body, commandLines) : null,
    nearMiss: isMissed ? nearMiss : null,
    namesCommand,
    hasHandle: true,
  };
}

const nothing: BotMessage = { command: null, prose: null, nearMiss: null, namesCommand: false, hasHandle: false };

/** A mention further in than the marks of a list is no near miss. */
function nearMissAt(body: string, { start, end }: TextSpan, handle: string): NearMiss | null {
  let from = start;
  while (from > 0 && start - from < marksMax && !isLineBreak(body.charCodeAt(from - 1))) from--;
  if (from > 0 && !isLineBreak(body.charCodeAt(from - 1))) return null;
  return readNearMiss(body.slice(from, lineEnd(body, end)), handle);
}

const marksMax = 24;

function without(body: Untrusted, lines: readonly TextSpan[]): Untrusted {
  if (lines.length === 0) return body;
  let rest = "";
  let at = 0;
  for (const line of lines) {
    rest += body.slice(at, line.start);
    at = line.end;
  }
  return Untrusted.parse(rest + body.slice(at));
}

/** Longer lines are sentences. */
const lineCharactersMax = 120;

/** Marks around it, a slip in its word, or `[bot]` behind the handle. Never obeyed: its author gets a hint. */
function readNearMiss(line: string, handle: string): NearMiss | null {
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
