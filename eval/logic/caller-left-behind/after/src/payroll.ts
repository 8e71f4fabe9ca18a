import { moveMoney } from "./move-money.js";

/** Rows come as they were parsed, without types. */
export function paySalaries(rows: any[]) {
  return rows.map((row) => moveMoney(row.company, row.account, row.cents));
}
