import { UsageError } from "#cli/terminal.ts";
import { dayMs, hourMs, minuteMs, secondMs } from "#core/model/instant.ts";

const units: Readonly<Record<string, number>> = { s: secondMs, m: minuteMs, h: hourMs, d: dayMs };
const durationMsMax = 30 * dayMs;

export function readDuration(option: string, asked: string): number {
  const [, count = "", unit = ""] = /^(\d{1,6})([smhd])$/.exec(asked) ?? [];
  const ms = Number(count) * (units[unit] ?? 0);
  if (ms > 0 && ms <= durationMsMax) return ms;
  throw new UsageError(`${option} ${asked}: expected a duration such as 30s, 20m or 2h, of at most 30 days.`);
}
