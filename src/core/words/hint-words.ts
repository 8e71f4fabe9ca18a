import type { Hint } from "#core/model/situation.ts";
import { never } from "#core/never.ts";
import { commandHelp } from "#core/words/help-words.ts";
import { outgoing } from "#core/words/outgoing.ts";
import { codeSpan } from "#core/words/plain-text.ts";

export function hintText({ kind, word }: Hint, handle: string): string {
  const form = codeSpan(`${handle} ${commandHelp[word].usage}`);
  switch (kind) {
    case "near_miss":
      return outgoing(
        `This was not taken as a command. If you meant ${codeSpan(word)}, write ${form} as a line of its own, with nothing ` +
          `before it. ${codeSpan(`${handle} help`)} lists all commands.`,
        handle,
      );
    case "edited_command":
      return outgoing(
        `This comment was edited after its command ${codeSpan(word)} had been handled. A comment counts as a command once, ` +
          "so the edit changes nothing. Write the new command in a new comment.",
        handle,
      );
    default:
      return never(kind);
  }
}
