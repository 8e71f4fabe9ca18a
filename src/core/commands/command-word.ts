import type { Command, MalformedCommand } from "#core/commands/command.ts";
import { readArguments, readMarkerDuration } from "#core/commands/command-arguments.ts";
import { isNameAt, isWordContinued } from "#core/commands/mentions.ts";
import { isSpace, lineEnd } from "#core/markdown/lines.ts";
import { type CommandWord, commandWords } from "#core/model/records.ts";

export interface CommandWordMatch {
  readonly word: CommandWord;
  readonly end: number;
}

/** A colon, a comma and "please" before it are good manners. */
export function findCommandWord(body: string, handleEnd: number): CommandWordMatch | null {
  const start = textAfter(body, handleEnd, ":,");
  if (start === null) return null;
  const pleaseEnd = start + "please".length;
  const isPolite = isNameAt(body, start, "please") && !isWordContinued(body, pleaseEnd);
  return wordAt(body, isPolite ? textAfter(body, pleaseEnd, ",") : start);
}

/** Null where the line is a sentence. */
export function commandAt(live: string, place: CommandWordMatch): Command | MalformedCommand | null {
  return readArguments(place.word, tailOf(live, place));
}

export function markerDurationAt(live: string, place: CommandWordMatch): number | null {
  return readMarkerDuration(tailOf(live, place));
}

function tailOf(live: string, { end }: CommandWordMatch): string {
  return live.slice(end, lineEnd(live, end));
}

/** Behind at most one of these marks, and at least one blank. */
function textAfter(body: string, from: number, marks: string): number | null {
  const mark = body.charAt(from);
  const blanks = mark !== "" && marks.includes(mark) ? from + 1 : from;
  let at = blanks;
  while (at < body.length && isSpace(body, at)) at++;
  return at === blanks ? null : at;
}

function wordAt(body: string, start: number | null): CommandWordMatch | null {
  if (start === null) return null;
  for (const word of commandWords) {
    const end = start + word.length;
    if (isNameAt(body, start, word) && !isWordContinued(body, end)) return { word, end };
  }
  return null;
}
