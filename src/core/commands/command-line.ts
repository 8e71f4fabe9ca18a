import type { Command, MalformedCommand } from "#core/commands/command.ts";
import { readArguments } from "#core/commands/command-arguments.ts";
import type { InertSpan } from "#core/commands/inert-text.ts";
import { isNameAt } from "#core/commands/inline-marks.ts";
import { isLineBreak, lineEnd } from "#core/commands/line-shape.ts";
import { liveSlice } from "#core/commands/live-text.ts";
import { isWordContinued } from "#core/commands/mentions.ts";
import { type CommandWord, commandWords } from "#core/model/records.ts";

/** A command word directly behind the handle, and where it ends. */
export interface WordPlace {
  readonly word: CommandWord;
  readonly end: number;
}

/** The command word that stands behind a handle on its line. A colon or a comma after the handle is good manners. */
export function wordAfter(body: string, handleEnd: number): WordPlace | null {
  const mark = body[handleEnd];
  const blanks = mark === ":" || mark === "," ? handleEnd + 1 : handleEnd;
  const start = skipSpace(body, blanks);
  if (start === blanks) return null;
  for (const word of commandWords) {
    const end = start + word.length;
    if (isNameAt(body, start, word) && !isWordContinued(body, end)) return { word, end };
  }
  return null;
}

/** With its arguments, as far as they are live. */
export function commandAt(body: string, place: WordPlace, inert: readonly InertSpan[]): Command | MalformedCommand {
  return readArguments(place.word, liveSlice(body, { start: place.end, end: lineEnd(body, place.end) }, inert));
}

/** Where the line starts on which nothing but blanks stands before this place; null where something does. */
export function lineStartBefore(body: string, at: number): number | null {
  let start = at;
  while (start > 0 && isSpace(body, start - 1)) start--;
  return start === 0 || isLineBreak(body.charCodeAt(start - 1)) ? start : null;
}

function skipSpace(body: string, from: number): number {
  let at = from;
  while (at < body.length && isSpace(body, at)) at++;
  return at;
}

function isSpace(body: string, at: number): boolean {
  return !isLineBreak(body.charCodeAt(at)) && /\s/.test(body.charAt(at));
}
