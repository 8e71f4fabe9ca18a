import type { CommandWord } from "#core/model/records.ts";
import { codeSpan } from "#core/words/plain-text.ts";

export interface CommandHelp {
  readonly usage: string;
  readonly meaning: string;
  readonly who: "author or writers" | "writers";
}

export const commandHelp = {
  review: { usage: "review", meaning: "Review the current head once.", who: "author or writers" },
  cancel: { usage: "cancel", meaning: "Cancel reviews that are under way.", who: "author or writers" },
  "enable-reviews": {
    usage: "enable-reviews",
    meaning: "Switch automatic reviews on and review the current head.",
    who: "author or writers",
  },
  "disable-reviews": {
    usage: "disable-reviews [for 90m|4h|2d]",
    meaning: "Switch automatic reviews off, for a while or until further notice, and cancel what is pending.",
    who: "author or writers",
  },
  fix: {
    usage: "fix [upto:$5] [20m]",
    meaning: "Let a coding session address the open feedback, within that much money and time.",
    who: "writers",
  },
  "stop-fixing": { usage: "stop-fixing", meaning: "Stop the session and start no other.", who: "writers" },
  merge: { usage: "merge", meaning: "Merge this very head as soon as every condition is met.", who: "writers" },
  hold: { usage: "hold", meaning: "Do not merge until further notice.", who: "writers" },
  unhold: { usage: "unhold", meaning: "Take the hold back.", who: "writers" },
  status: { usage: "status", meaning: "Say what stands between here and the merge.", who: "author or writers" },
  help: { usage: "help", meaning: "Show this list.", who: "author or writers" },
} as const satisfies Record<CommandWord, CommandHelp>;

export function helpText(handle: string): string {
  const rows = Object.values<CommandHelp>(commandHelp).map(
    ({ usage, meaning, who }) => `| ${codeSpan(`${handle} ${usage}`).replaceAll("|", "\\|")} | ${meaning} | ${who} |`,
  );
  const table = ["| command | what it does | who may |", "| --- | --- | --- |", ...rows].join("\n");
  return (
    `${table}\n\nA command is a line of its own, followed only by its arguments, punctuation or "please". Anything else ` +
    "after the handle is read as a question or a request in your own words."
  );
}
