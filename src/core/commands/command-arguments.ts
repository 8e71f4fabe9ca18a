import type { Command, MalformedCommand } from "#core/commands/command.ts";
import { dayMs, hourMs, minuteMs } from "#core/model/instant.ts";
import type { CommandWord } from "#core/model/records.ts";

/** Longer is a slip of the finger, or a switch that nobody finds again. */
export const commandDurationMaxMs = 365 * dayMs;
export const uptoUsdMax = 10_000;

/** Reads what stands behind a command word. Text that is no argument ("please") is allowed and means nothing. */
export function readArguments(word: CommandWord, tail: string): Command | MalformedCommand {
  switch (word) {
    case "disable-reviews":
      return readDisableReviews(tail);
    case "fix":
      return readFix(tail);
    default:
      return { kind: "command", word };
  }
}

function readDisableReviews(tail: string): Command | MalformedCommand {
  const [preposition, duration] = tokensOf(tail);
  if (preposition?.toLowerCase() !== "for") return { kind: "command", word: "disable-reviews", forMs: null };
  if (duration === undefined) return malformed("disable-reviews", "durationMissing");
  if (!durationPattern.test(duration)) return malformed("disable-reviews", "durationUnreadable");
  const forMs = durationOf(duration);
  if (forMs === null) return malformed("disable-reviews", "durationOutOfRange");
  return { kind: "command", word: "disable-reviews", forMs };
}

/**
 * An amount is read anywhere in the line, since overlooking one costs money; a duration only among the arguments, since
 * "the test that takes 20m" is none.
 */
function readFix(tail: string): Command | MalformedCommand {
  const amounts: string[] = [];
  const durations: string[] = [];
  let isAmongArguments = true;
  for (const token of tokensOf(tail)) {
    if (/^upto:/i.test(token) || (isAmongArguments && /^upto$/i.test(token))) amounts.push(token);
    else if (isAmongArguments && durationPattern.test(token)) durations.push(token);
    else isAmongArguments = false;
  }
  if (amounts.length > 1 || durations.length > 1) return malformed("fix", "saidTwice");
  const [amount] = amounts;
  const [duration] = durations;
  if (amount !== undefined && !amountPattern.test(amount)) return malformed("fix", "amountUnreadable");
  const uptoMicroUsd = amount === undefined ? null : microUsdOf(amount);
  if (amount !== undefined && uptoMicroUsd === null) return malformed("fix", "amountOutOfRange");
  const limitMs = duration === undefined ? null : durationOf(duration);
  if (duration !== undefined && limitMs === null) return malformed("fix", "durationOutOfRange");
  return { kind: "command", word: "fix", uptoMicroUsd, limitMs };
}

/** Told to the person, in front of the form that the command takes. */
const problems = {
  durationMissing: "A time is missing after the word for.",
  durationUnreadable: "The time after the word for cannot be read; it is a number with m, h or d behind it.",
  durationOutOfRange: `A time is more than nothing and at most ${commandDurationMaxMs / dayMs} days.`,
  amountUnreadable: "The amount cannot be read; it is a number of dollars with at most two decimals.",
  amountOutOfRange: `An amount is more than nothing and at most ${uptoUsdMax} dollars.`,
  saidTwice: "An argument was given twice, so it is not clear which one is meant.",
} as const;

function malformed(word: MalformedCommand["word"], problem: keyof typeof problems): MalformedCommand {
  return { kind: "malformed", word, problem: problems[problem] };
}

const durationPattern = /^(\d+)([mhd])$/i;
const amountPattern = /^upto:\$(\d+)(?:\.(\d{1,2}))?$/i;

function durationOf(token: string): number | null {
  const [, digits = "", unit = ""] = durationPattern.exec(token) ?? [];
  const unitMs = { m: minuteMs, h: hourMs, d: dayMs }[unit.toLowerCase()] ?? 0;
  const ms = Number(digits) * unitMs;
  return ms > 0 && ms <= commandDurationMaxMs ? ms : null;
}

/** Whole numbers all the way: 0.1 + 0.2 is not how money is counted. */
function microUsdOf(token: string): number | null {
  const [, dollars = "", cents = ""] = amountPattern.exec(token) ?? [];
  const microUsd = Number(dollars) * 1_000_000 + Number(cents.padEnd(2, "0")) * 10_000;
  return microUsd > 0 && microUsd <= uptoUsdMax * 1_000_000 ? microUsd : null;
}

function tokensOf(tail: string): readonly string[] {
  return tail
    .split(/\s+/)
    .map(withoutPunctuation)
    .filter((token) => token !== "");
}

/** By hand: a pattern anchored at the end alone takes quadratic time on a long row of dots. */
function withoutPunctuation(token: string): string {
  let end = token.length;
  while (end > 0 && ".,;:!?)".includes(token.charAt(end - 1))) end--;
  return token.slice(0, end);
}
