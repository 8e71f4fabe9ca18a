import type { Command, MalformedCommand } from "#core/commands/command.ts";
import { isQuestion, wordsOf } from "#core/commands/line-words.ts";
import { dayMs, hourMs, minuteMs } from "#core/model/instant.ts";
import type { CommandWord } from "#core/model/records.ts";

/** Longer is a typing mistake, or a switch that nobody finds again. */
export const commandDurationMaxMs = 365 * dayMs;
export const uptoUsdMax = 10_000;

/** More words behind a command word make a sentence. */
const attemptWordsMax = 5;

/** Null: a sentence that begins with a command word is no command. What is almost right is malformed, and told. */
export function readArguments(word: CommandWord, tail: string): Command | MalformedCommand | null {
  if (isQuestion(tail)) return null;
  const words = wordsOf(tail);
  switch (word) {
    case "disable-reviews":
      return readDisableReviews(words);
    case "fix":
      return readFix(words);
    default:
      return words.length === 0 ? { kind: "command", word } : null;
  }
}

/** Anything may follow it. One that cannot be read counts as none. */
export function readMarkerDuration(tail: string): number | null {
  const [preposition, duration] = wordsOf(tail);
  return preposition?.toLowerCase() === "for" && duration !== undefined ? durationOf(duration) : null;
}

function readDisableReviews(words: readonly string[]): Command | MalformedCommand | null {
  const [preposition, duration] = words;
  if (preposition === undefined) return { kind: "command", word: "disable-reviews", forMs: null };
  const isFor = preposition.toLowerCase() === "for";
  if (isFor && duration === undefined) return malformed("disable-reviews", "durationMissing");
  if (isFor && duration !== undefined && durationPattern.test(duration) && words.length === 2) {
    const forMs = durationOf(duration);
    if (forMs === null) return malformed("disable-reviews", "durationOutOfRange");
    return { kind: "command", word: "disable-reviews", forMs };
  }
  const isAttempt = words.length <= attemptWordsMax && (/^(?:for|until|till)$/i.test(preposition) || isAmount(words));
  return isAttempt ? malformed("disable-reviews", "forUnreadable") : null;
}

function readFix(words: readonly string[]): Command | MalformedCommand | null {
  const amounts = words.filter((word) => /^upto:/i.test(word));
  const durations = words.filter((word) => durationPattern.test(word));
  if (words.length > amounts.length + durations.length) return readFixAttempt(words, amounts);
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

/** A written-out amount is meant as one anywhere; other words only as the first of a few. */
function readFixAttempt(words: readonly string[], amounts: readonly string[]): MalformedCommand | null {
  const [first = "", second = ""] = words;
  if (amounts.length > 0) return malformed("fix", "wordsBeside");
  if (words.length > attemptWordsMax) return null;
  if (/^(?:upto|up-to)/i.test(first) || /^up to$/i.test(`${first} ${second}`))
    return malformed("fix", "amountUnreadable");
  const isFor = /^for$/i.test(first);
  if (!isAmount(isFor ? words.slice(1) : words)) return null;
  return malformed("fix", /[$€£]/.test(words.join(" ")) ? "amountUnreadable" : "limitUnreadable");
}

/** "20 min" is an amount, "3 bugs" is none. */
function isAmount([first = "", second]: readonly string[]): boolean {
  if (!/^[$€£]?\d[\d.,]*(?:[$€£]|[a-z]{1,7})?$/i.test(first)) return false;
  if (/[^\d.,]/.test(first) || second === undefined) return true;
  return /^(?:s|sec|m|min|h|hr|d|w)s?$|^(?:second|minute|hour|day|week|month|dollar|euro)s?$|^usd$|^eur$/i.test(second);
}

/** Shown in front of the form that the command takes. */
const problems = {
  durationMissing: "A time is missing after the word for.",
  forUnreadable: "The time cannot be read; it is the word for, and a number with m, h or d behind it.",
  limitUnreadable: "The time cannot be read; it is a number with m, h or d behind it.",
  durationOutOfRange: `A time is more than nothing and at most ${commandDurationMaxMs / dayMs} days.`,
  amountUnreadable: "The amount cannot be read; it is upto:$ and a number of dollars with at most two decimals.",
  amountOutOfRange: `An amount is more than nothing and at most ${uptoUsdMax} dollars.`,
  wordsBeside: "Other words stand beside the amount, so it is not clear what is meant.",
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

/** Whole numbers: 0.1 + 0.2 is not how money is counted. */
function microUsdOf(token: string): number | null {
  const [, dollars = "", cents = ""] = amountPattern.exec(token) ?? [];
  const microUsd = Number(dollars) * 1_000_000 + Number(cents.padEnd(2, "0")) * 10_000;
  return microUsd > 0 && microUsd <= uptoUsdMax * 1_000_000 ? microUsd : null;
}
