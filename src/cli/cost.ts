import { fetchCost } from "#app/cost/cost-client.ts";
import { dataLocation } from "#cli/data-location.ts";
import { type Terminal, toUsageError, UsageError } from "#cli/terminal.ts";
import type { CostSort } from "#core/budget/cost-overview.ts";
import { dayMs, formatInstant, hourMs, type Instant, instant, parseInstant } from "#core/model/instant.ts";
import { costTable } from "#core/words/cost-table.ts";

export interface CostCall {
  readonly by: CostSort;
  readonly since: string;
  readonly repo?: string | undefined;
  readonly pull?: string | undefined;
  readonly data?: string | undefined;
  readonly json?: boolean | undefined;
}

export async function cost(call: CostCall, terminal: Terminal): Promise<number> {
  const { by } = call;
  const since = sinceOf(call.since, instant(Date.now()));
  const pull = pullOf(call);
  const asked = { by, since, repository: call.repo ?? null, pull };
  const overview = await fetchCost(dataLocation(call, terminal), asked).catch((error: unknown) => {
    throw toUsageError(error, ["DatabaseError", "StartError"]);
  });
  const told = formatInstant(since);
  terminal.out(call.json === true ? `${JSON.stringify({ since: told, ...overview })}\n` : costTable(overview, told));
  return 0;
}

const units: Readonly<Record<string, number>> = { h: hourMs, d: dayMs };

function sinceOf(asked: string, now: Instant): Instant {
  const [, count = "", unit = ""] = /^(\d{1,5})([hd])$/.exec(asked) ?? [];
  const ms = Number(count) * (units[unit] ?? 0);
  if (ms > 0) return instant(Math.max(0, now - ms));
  const day = /^\d{4}-\d{2}-\d{2}$/.test(asked) ? parseInstant(`${asked}T00:00:00Z`) : parseInstant(asked);
  if (day !== undefined) return day;
  throw new UsageError(`--since ${asked}: expected a duration such as 12h or 7d, or a day such as 2026-11-01.`);
}

function pullOf({ pull, repo }: CostCall): number | null {
  if (pull === undefined) return null;
  if (repo === undefined) throw new UsageError("--pull needs --repo: pulls of different repositories share numbers.");
  const number = /^[1-9]\d{0,8}$/.test(pull) ? Number(pull) : undefined;
  if (number === undefined) throw new UsageError(`--pull ${pull}: expected the number of a pull.`);
  return number;
}
