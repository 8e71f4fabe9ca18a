import { lastObeyed } from "#core/derive/commands.ts";
import type { Hold, SaidCommand } from "#core/model/situation.ts";

export function deriveHold(commands: readonly SaidCommand[]): Hold {
  const last = lastObeyed(commands, ["hold", "unhold"]);
  if (last === undefined || last.command.word === "unhold") return { kind: "free" };
  return { kind: "held", by: last.by.login, comment: last.comment };
}
