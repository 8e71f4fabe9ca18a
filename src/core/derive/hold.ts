import type { Hold, SaidCommand } from "#core/decision/situation.ts";
import { lastObeyed } from "#core/derive/commands.ts";

/** A person asked to wait. The hold lasts through pushes, until a person with write permission ends it. */
export function deriveHold(commands: readonly SaidCommand[]): Hold {
  const last = lastObeyed(commands, ["hold", "unhold"]);
  if (last === undefined || last.command.word === "unhold") return { kind: "free" };
  return { kind: "held", by: last.by.login, comment: last.comment };
}
