import { z } from "zod";

/** Milliseconds since 1970 in UTC, on the forge's clock. The core has no clock of its own. */
export type Instant = number & z.core.$brand<"Instant">;

export const secondMs = 1000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** The latest time with four digits of year; what lies beyond is a mistake. */
export const instantMax = 253_402_300_799_999;

/** In files a time is ISO 8601 with a zone, or a number of milliseconds. */
export const Instant = z.union([z.number(), z.string()], "expected a time").transform((value, context): Instant => {
  const found = typeof value === "number" ? value : parseInstant(value);
  if (found !== undefined && Number.isSafeInteger(found) && found >= 0 && found <= instantMax) return instant(found);
  context.addIssue({
    code: "custom",
    message: 'expected a time such as "2026-01-31T09:30:00Z", or milliseconds since 1970',
  });
  return z.NEVER;
});

export function instant(ms: number): Instant {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one place that makes the brand.
  return ms as Instant;
}

export function after(at: Instant, ms: number): Instant {
  return instant(Math.min(at + ms, instantMax));
}

/** Forges count whole seconds: what they date within this second may be older or newer than this moment. */
export function wholeSecond(at: Instant): Instant {
  return instant(at - (at % secondMs));
}

export function earliest(times: readonly (Instant | undefined)[]): Instant | undefined {
  let found: Instant | undefined;
  for (const time of times) if (time !== undefined && (found === undefined || time < found)) found = time;
  return found;
}

const isoPattern =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:Z|([+-])(\d{2}):?(\d{2}))$/i;

/** A time without a zone is refused: it would mean another moment on another machine. */
export function parseInstant(text: string): Instant | undefined {
  const parts = isoPattern.exec(text.trim());
  if (parts === null) return undefined;
  const field = (index: number): number => Number(parts[index] ?? "0");
  const [year, month, day, hour, minute, second] = [field(1), field(2), field(3), field(4), field(5), field(6)];
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59 || field(9) > 23 || field(10) > 59) return undefined;
  const fractionMs = Number((parts[7] ?? "").padEnd(3, "0").slice(0, 3));
  const zoneMs = (parts[8] === "-" ? -1 : 1) * (field(9) * hourMs + field(10) * minuteMs);
  const ms = daysSince1970(year, month, day) * dayMs + hour * hourMs + minute * minuteMs + second * secondMs;
  return instant(ms + fractionMs - zoneMs);
}

export function formatInstant(at: Instant): string {
  const days = Math.floor(at / dayMs);
  const rest = at - days * dayMs;
  const { year, month, day } = civilDate(days);
  const ms = rest % secondMs;
  const clock = [Math.floor(rest / hourMs), Math.floor(rest / minuteMs) % 60, Math.floor(rest / secondMs) % 60];
  const date = `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
  return `${date}T${clock.map((part) => pad(part, 2)).join(":")}${ms === 0 ? "" : `.${pad(ms, 3)}`}Z`;
}

export function formatDuration(ms: number): string {
  if (ms < minuteMs) return `${Math.max(0, Math.round(ms / secondMs))} s`;
  if (ms < 2 * hourMs) return `${Math.round(ms / minuteMs)} min`;
  const minutes = Math.round(ms / minuteMs);
  if (ms < 2 * dayMs) return pair(Math.floor(minutes / 60), "h", minutes % 60, "min");
  return pair(Math.floor(minutes / 1440), "d", Math.floor((minutes % 1440) / 60), "h");
}

function pair(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, "0");
}

function isLeap(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return isLeap(year) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** Counted in the Gregorian calendar from year 0. */
function daysBeforeYear(year: number): number {
  const last = year - 1;
  return 365 * year + Math.floor(last / 4) - Math.floor(last / 100) + Math.floor(last / 400) + 1;
}

const epochDays = daysBeforeYear(1970);

function daysSince1970(year: number, month: number, day: number): number {
  let days = daysBeforeYear(year) - epochDays + day - 1;
  for (let earlier = 1; earlier < month; earlier++) days += daysIn(year, earlier);
  return days;
}

function civilDate(days: number): { readonly year: number; readonly month: number; readonly day: number } {
  let year = 1970 + Math.floor(days / 365.2425);
  while (daysSince1970(year + 1, 1, 1) <= days) year++;
  while (daysSince1970(year, 1, 1) > days) year--;
  let month = 12;
  while (daysSince1970(year, month, 1) > days) month--;
  return { year, month, day: days - daysSince1970(year, month, 1) + 1 };
}
