import type { Address, Command, MalformedCommand } from "#core/commands/command.ts";
import { commandAt, lineStartBefore, wordAfter } from "#core/commands/command-line.ts";
import { lineEnd, nextLine } from "#core/commands/line-shape.ts";
import { inertSpans, livePlaces, type Place } from "#core/commands/live-text.ts";
import { findMentions } from "#core/commands/mentions.ts";
import { Untrusted } from "#core/model/ids.ts";

/**
 * What a comment says to the bot. A command line starts with the handle in the raw text, not only in what is shown:
 * otherwise a comment hidden in front of it would make a command out of a sentence.
 */
export function readAddress(body: Untrusted, handle: string): Address {
  const mentions = findMentions(body, handle);
  if (mentions.length === 0) return nothing;
  const inert = inertSpans(body);
  let command: Command | MalformedCommand | null = null;
  let isProse = false;
  const commandLines: Place[] = [];
  for (const mention of livePlaces(mentions, inert)) {
    if (mention.start < (commandLines.at(-1)?.end ?? 0)) continue;
    const start = lineStartBefore(body, mention.start);
    const word = start === null ? null : wordAfter(body, mention.end);
    if (start === null || word === null) {
      isProse = true;
      continue;
    }
    command ??= commandAt(body, word, inert);
    commandLines.push({ start, end: nextLine(body, lineEnd(body, word.end)) });
  }
  return { command, prose: isProse ? without(body, commandLines) : null };
}

const nothing: Address = { command: null, prose: null };

function without(body: Untrusted, lines: readonly Place[]): Untrusted {
  if (lines.length === 0) return body;
  let rest = "";
  let at = 0;
  for (const line of lines) {
    rest += body.slice(at, line.start);
    at = line.end;
  }
  return Untrusted.parse(rest + body.slice(at));
}
