import type { SessionRecord } from "#core/model/records.ts";
import { counted } from "#core/words/counted.ts";
import { outgoing } from "#core/words/outgoing.ts";
import { codeSpan, plainLine, plainText } from "#core/words/plain-text.ts";
import { shortSha } from "#core/words/short-sha.ts";

const summaryCharactersMax = 4_000;
const whyCharactersMax = 300;
const linesMax = 50;

export function sessionReply(head: string, handle: string): string {
  return outgoing(`Addressed in ${codeSpan(shortSha(head))}. Please have another look.`, handle);
}

export function suggestionRefused(why: string, handle: string): string {
  const reason = plainLine(why, whyCharactersMax);
  return outgoing(
    `This suggestion was not applied. ${reason} Please suggest it again on the lines as they are now, or change them by hand.`,
    handle,
  );
}

export interface SessionReport {
  readonly head: string;
  readonly summary: string;
  readonly addressedCount: number;
  readonly left: readonly { readonly login: string; readonly why: string }[];
}

export function sessionReport({ head, summary, addressedCount, left }: SessionReport, handle: string): string {
  const done = `Pushed ${codeSpan(shortSha(head))}: ${counted(addressedCount, "remark", "remarks")} addressed. Please have another look.`;
  const said = summary.trim() === "" ? [] : [plainText(summary, summaryCharactersMax)];
  const rest = left
    .slice(0, linesMax)
    .map(({ login, why }) => `- ${codeSpan(login)}: ${plainLine(why, whyCharactersMax)}`);
  const more = left.length > linesMax ? [`- and ${left.length - linesMax} more`] : [];
  const open = left.length === 0 ? [] : [["**Not addressed**", "", ...rest, ...more].join("\n")];
  return outgoing([done, ...said, ...open].join("\n\n"), handle);
}

const subjects = {
  command: "Address review feedback",
  feedback: "Address review feedback",
  checks: "Repair failed checks",
  conflict: "Resolve conflicts with the base branch",
} as const satisfies Record<SessionRecord["purpose"], string>;

/** Nothing in the agent's own words: forges call people and close issues for what a message says. */
export function commitMessage({ id, purpose }: Pick<SessionRecord, "id" | "purpose">): string {
  return `${subjects[purpose]}\n\nMade by a fixing session of Drover (${id}).\n`;
}
