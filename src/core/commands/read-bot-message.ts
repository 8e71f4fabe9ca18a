import type { BotMessage, Command, MalformedCommand, NearMiss } from "#core/commands/command.ts";
import { commandAt, findCommandWord } from "#core/commands/command-word.ts";
import { findMentions, liveMentions, type TextSpan } from "#core/commands/mentions.ts";
import { readNearMiss } from "#core/commands/near-miss.ts";
import { isLineBreak, lineEnd, lineStartBefore, nextLine } from "#core/markdown/lines.ts";
import { liveText } from "#core/markdown/live-text.ts";
import { Untrusted } from "#core/model/ids.ts";

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
